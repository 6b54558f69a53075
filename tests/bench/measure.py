"""Run one command, print its wall seconds, peak resident MiB and exit code as JSON (wait4's figures)."""
import json
import os
import subprocess
import sys
import time

start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(json.dumps({"wall": time.perf_counter() - start, "mib": usage.ru_maxrss / 1024,
                  "code": os.waitstatus_to_exitcode(status)}))
