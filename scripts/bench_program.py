"""What the parts of the benchmark share: the benchmark program, and the CPU clocks of other processes."""
import json
import subprocess
import sys
import tempfile
import time


class Program:
    """The benchmark program: a line of JSON in, a line of JSON out."""

    def __init__(self, *command, environment=None):
        # The log of its engines; read only where it fails.
        self.errors = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env=environment,
        )

    def ask(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.errors.seek(0)
            last = self.errors.read()[-2000:]
            sys.exit(f"{last}bench: the benchmark program ended (exit code {self.process.wait()})")
        return json.loads(line)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def cpu_seconds(*processes):
    """What these processes have taken so far, all their threads together, to the nanosecond."""
    # clock_getcpuclockid(3) as the C library computes it; Python has it for threads alone.
    return sum(time.clock_gettime((~process << 3) | 2) for process in processes)
