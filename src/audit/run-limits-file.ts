/** The file that tells after how long the platform ends a run: `vercel.json` with `functions: { "api/cron/**": { "maxDuration": 600 } }`, in seconds. */
export const RUN_LIMITS_FILE = 'vercel.json';
