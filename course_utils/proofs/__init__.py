"""Is a decoder lossless?  Exact enumeration, certificates, audits of traces, the bug zoo."""
