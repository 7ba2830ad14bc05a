import type ts from 'typescript';
import { UNKNOWN_TYPE } from './declared-member.js';
import { TOO_DEEP } from './declared-node.js';
import type { TypeShape } from './type-shape.js';
import type { Unit } from './unit.js';
import { Kept, KeptByName } from '../kept.js';

/** Expressions that one question may look at. A question that needs more is not worth its answer: machine-written code asks such. */
const MOST_STEPS = 4_000;

interface Remembered {
  readonly type: TypeShape;
  /** The depth at which it was read: a deeper question cannot learn more. */
  readonly depth: number;
  /** False where a limit or a circle cut the reading short. */
  readonly whole: boolean;
}

const memories = new Kept<Unit, KeptByName<ts.Expression, Remembered>>();
/** Counted up whenever a reading is cut short, so that what was built on it is known to be partial. */
let cuts = 0;
let nested = 0;
let steps = 0;

/** Reads the type of an expression once. What was cut short is kept only for questions from the same depth or deeper. */
export function remembered(unit: Unit, e: ts.Expression, depth: number, read: () => TypeShape): TypeShape {
  const memory = memoryOf(unit);
  const known = memory.get(e);
  if (known !== undefined && (known.whole || known.depth <= depth)) {
    if (!known.whole) cuts++;
    return known.type;
  }
  if (nested === 0) steps = 0;
  if (depth > TOO_DEEP || ++steps > MOST_STEPS) {
    cuts++;
    return UNKNOWN_TYPE;
  }
  const before = cuts;
  if (known !== undefined) memory.again(e);
  nested++;
  try {
    const type = read();
    memory.set(e, { type, depth, whole: cuts === before });
    return type;
  } finally {
    nested--;
  }
}

/** Notes that a reading stops here though there is more to say. */
export function cutShort(): TypeShape {
  cuts++;
  return UNKNOWN_TYPE;
}

function memoryOf(unit: Unit): KeptByName<ts.Expression, Remembered> {
  const known = memories.get(unit);
  if (known !== undefined) return known;
  const memory = new KeptByName<ts.Expression, Remembered>();
  memories.set(unit, memory);
  return memory;
}
