import { createHash } from 'node:crypto';

/** What a text or bytes hold, in short. */
export function digestOf(text: string | Uint8Array): string {
  return createHash('sha1').update(text).digest('base64url');
}
