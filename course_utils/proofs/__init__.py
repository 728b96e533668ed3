"""Tests of losslessness: exact enumeration, certificates, audits of traces, the bug zoo."""
