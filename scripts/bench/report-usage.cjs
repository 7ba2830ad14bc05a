// Loaded into a measured Node process where the system has no `time` that tells memory: appends what the process used to a file at its end.
const { appendFileSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  appendFileSync(process.env.STEP_LOCK_BENCH_USAGE, `${userCPUTime + systemCPUTime} ${maxRSS}\n`);
});
