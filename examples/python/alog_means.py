"""Tells the mean of every number in a log: alog_means.py FILE.alog"""

import sys
from collections import defaultdict

import caribou

if len(sys.argv) != 2:
    sys.exit("usage: alog_means.py FILE.alog")

values = defaultdict(list)
for record in caribou.read_alog(sys.argv[1]):
    if isinstance(record.value, float):
        values[record.variable].append(record.value)

for variable, numbers in sorted(values.items()):
    print(f"{variable}: {sum(numbers) / len(numbers):g}, of {len(numbers)}")
