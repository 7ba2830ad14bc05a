import { awaited, memberNames, memberOf } from '../syntax/declared-type.js';
import type { TypeShape } from '../syntax/type-shape.js';
import { lockRole } from './lock-words.js';
import { BOOLEAN_FORM, handleOrNothingForm, handleOrThrowsForm, OK_OR_NULL_FORM, taggedForm, UNKNOWN_FORM, VOID_OR_THROWS_FORM, type ResultForm } from './result-form.js';

const NOTHINGS = new Set(['null', 'undefined', 'void']);
const TAGS = ['acquired', 'ok', 'success', 'locked', 'granted', 'status', 'outcome', 'kind', 'type', 'result', 'state'];
const WON = new Set<unknown>([true, 'ok', 'acquired', 'success', 'granted', 'won', 'locked', 'held', 'claimed']);

/** How an acquire tells that it won, by its declared result. */
export function formOf(result: TypeShape): ResultForm {
  const type = awaited(result);
  if (type.kind === 'primitive') {
    if (type.name === 'boolean') return BOOLEAN_FORM;
    if (type.name === 'void' || type.name === 'undefined') return VOID_OR_THROWS_FORM;
    return type.name === 'string' ? handleOrThrowsForm() : UNKNOWN_FORM;
  }
  if (type.kind === 'object') return tagged([type]) ?? handleOrThrowsForm();
  if (type.kind === 'function' || type.kind === 'named') return handleOrThrowsForm();
  return type.kind === 'union' ? unionForm(type.members) : UNKNOWN_FORM;
}

function unionForm(members: readonly TypeShape[]): ResultForm {
  const nothing = members.flatMap((m) => (m.kind === 'primitive' && NOTHINGS.has(m.name) ? [m.name] : []));
  const rest = members.filter((m) => !(m.kind === 'primitive' && NOTHINGS.has(m.name)));
  const only = rest[0];
  if (nothing.length > 0) {
    if (rest.length === 1 && only?.kind === 'literal' && only.value === 'OK') return OK_OR_NULL_FORM;
    const isValue = rest.every((m) => m.kind === 'object' || m.kind === 'named' || m.kind === 'function' || (m.kind === 'primitive' && m.name === 'string') || (m.kind === 'literal' && m.value !== false && m.value !== ''));
    if (!isValue) return UNKNOWN_FORM;
    return handleOrNothingForm(nothing.length > 1 ? 'either' : nothing[0] === 'null' ? 'null' : 'undefined');
  }
  if (rest.every((m) => m.kind === 'literal' && typeof m.value === 'boolean')) return BOOLEAN_FORM;
  return tagged(rest) ?? (rest.every((m) => m.kind === 'object') ? handleOrThrowsForm() : UNKNOWN_FORM);
}

/** `{ ok: true; lease } | { ok: false }`, `{ acquired: boolean }`. */
function tagged(members: readonly TypeShape[]): ResultForm | undefined {
  const tag = TAGS.find((t) => members.every((m) => m.kind === 'object' && memberNames(m).includes(t) && valuesOf(memberOf(m, t)) !== undefined));
  if (tag === undefined) return undefined;
  const values = members.flatMap((m) => valuesOf(memberOf(m, tag)) ?? []);
  const won = values.filter((v) => WON.has(v));
  return won.length > 0 && won.length < values.length ? taggedForm(tag, won, values.filter((v) => !WON.has(v))) : undefined;
}

function valuesOf(type: TypeShape): (string | boolean)[] | undefined {
  if (type.kind === 'primitive' && type.name === 'boolean') return [true, false];
  if (type.kind === 'literal') return typeof type.value === 'string' || typeof type.value === 'boolean' ? [type.value] : undefined;
  if (type.kind !== 'union') return undefined;
  const inner = type.members.map(valuesOf);
  return inner.every((v) => v !== undefined) ? inner.flat() : undefined;
}

/** The object or function an acquire gives when it wins. */
export function grantOf(result: TypeShape): TypeShape | undefined {
  const type = awaited(result);
  const members = type.kind === 'union' ? type.members : [type];
  return members.find((m) => m.kind === 'object' || m.kind === 'function' || m.kind === 'named');
}

/** Whether values of the type give the lock back themselves: a release method, disposal, or a release function. */
export function isHandle(type: TypeShape | undefined): boolean {
  if (type?.kind === 'function') return type.signature.parameters.every((p) => p.optional);
  if (type?.kind === 'named') return type.from === undefined && (type.name === 'AsyncDisposable' || type.name === 'Disposable');
  if (type?.kind !== 'object') return false;
  return memberNames(type).some((n) => n === '[Symbol.asyncDispose]' || n === '[Symbol.dispose]' || (lockRole(n) === 'release' && memberOf(type, n).kind === 'function'));
}
