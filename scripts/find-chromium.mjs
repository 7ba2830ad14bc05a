import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** The Chromium of this machine, or the one that STEP_LOCK_CHROMIUM names; `undefined` when there is none. */
export function findChromium() {
  const named = process.env.STEP_LOCK_CHROMIUM;
  return [...named === undefined ? [] : [named], ...PLACES].find((path) => existsSync(path));
}
