import type { ProtocolChange, Review } from '../review/types.js';
import type { BaseLines } from './base-lines.js';

/** How a change moved the protocol of locks and targets. */
export function protocolChanges(_head: Review, _base: Review, _lines: BaseLines): ProtocolChange[] {
  return [];
}
