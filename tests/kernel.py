"""A kernel as a front end sees it: requests in, messages out."""

from jupyter_client import KernelManager

SECONDS = 30  # the longest wait for a kernel on a busy machine


class Kernel:
    """A kernel that has run `code`; `messages` are those sent since."""

    def __init__(self, code):
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=2 * SECONDS)
        self.messages = []
        self.run(code)

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def send(self, code):
        return self.client.execute(code)

    def run(self, code):
        """Run a cell to its end, with all its outputs."""
        request = self.send(code)
        self.read(lambda m: ends(m, request))

    def read(self, enough):
        """Take messages until one is `enough`.

        Raises:
            Empty: none comes for `SECONDS`.
        """
        self.messages.append(self.client.get_iopub_msg(timeout=SECONDS))
        while not enough(self.messages[-1]):
            self.messages.append(self.client.get_iopub_msg(timeout=SECONDS))


def ends(message, request):
    """Return whether the message says that the cell has run."""
    return (
        message["msg_type"] == "status"
        and message["parent_header"].get("msg_id") == request
        and message["content"]["execution_state"] == "idle"
    )
