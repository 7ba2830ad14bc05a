import { createHash } from 'node:crypto';

/** What a text holds, in short. */
export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
