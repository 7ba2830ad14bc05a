/** The Chromium of this machine, or the one that STEP_LOCK_CHROMIUM names; `undefined` when there is none. */
export declare function findChromium(): string | undefined;
