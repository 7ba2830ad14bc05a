import type ts from 'typescript';
import { nameText } from '../syntax/expression.js';
import { member, substitute, UNDEFINED, walkTerm, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { ReadableFunction } from './summary.js';

/** Terms of a called function in the terms of one call. */
export interface CallTerms {
  /** Undefined where the term is made of names that live in the function alone. */
  inCaller(term: Term): Term | undefined;
  /** The argument that a term is as it stands: of a bare parameter, or a property of an object literal. */
  argumentOf(term: Term): ts.Expression | undefined;
  /** Whether the term speaks of a parameter at all. */
  usesParameter(term: Term): boolean;
}

/** Undefined where arguments are spread, so that nobody can say which parameter gets which. */
export function callTerms(caller: Unit, call: ts.CallExpression, called: ReadableFunction): CallTerms | undefined {
  const { ts } = caller;
  if (call.arguments.some((a) => ts.isSpreadElement(a))) return undefined;
  const values = parameterValues(caller, call, called);
  const receiver = ts.isPropertyAccessExpression(call.expression) ? termOf(caller, call.expression.expression) : undefined;
  const isLocal = localNames(called, values);
  return {
    inCaller(term) {
      let local = false;
      walkTerm(term, (t) => {
        if (t.kind === 'symbol' && isLocal(t.id)) local = true;
      });
      return local ? undefined : substitute(anew(term, call.pos), (t) => (t.kind !== 'symbol' ? undefined : t.id === 'this' ? receiver : values.get(t.id)?.term));
    },
    argumentOf: (term) => {
      if (term.kind === 'symbol') return values.get(term.id)?.node;
      if (term.kind !== 'path' || term.base.kind !== 'symbol') return undefined;
      const object = values.get(term.base.id)?.node;
      return object !== undefined && ts.isObjectLiteralExpression(object) ? propertyNode(caller, object, term.prop) : undefined;
    },
    usesParameter(term) {
      let uses = false;
      walkTerm(term, (t) => {
        if (t.kind === 'symbol' && values.has(t.id)) uses = true;
      });
      return uses;
    },
  };
}

/** An evaluation inside the function is another one at each call of it. */
function anew(term: Term, site: number): Term {
  switch (term.kind) {
    case 'call': return { ...term, args: term.args.map((a) => anew(a, site)), site: term.site === 0 ? 0 : site };
    case 'path': return { ...term, base: anew(term.base, site) };
    case 'template': return { ...term, parts: term.parts.map((p) => anew(p, site)) };
    case 'list': return { ...term, items: term.items.map((i) => anew(i, site)) };
    case 'object': return { ...term, props: term.props.map(([k, v]) => [k, anew(v, site)] as const) };
    case 'unknown': return { ...term, parts: term.parts.map((p) => anew(p, site)) };
    default: return term;
  }
}

interface ParameterValue { readonly term: Term; readonly node: ts.Expression | undefined }

/** What each parameter stands for, by the id of its term. Reassigned and rest parameters are left out. */
function parameterValues(caller: Unit, call: ts.CallExpression, { unit, fn }: ReadableFunction): ReadonlyMap<string, ParameterValue> {
  const { ts } = unit;
  const values = new Map<string, ParameterValue>();
  fn.parameters.forEach((parameter, i) => {
    if (parameter.dotDotDotToken !== undefined) return;
    const node = call.arguments[i];
    const term = node !== undefined ? termOf(caller, node) : parameter.initializer !== undefined ? termOf(unit, parameter.initializer) : UNDEFINED;
    if (ts.isIdentifier(parameter.name)) return add(parameter.name, { term, node });
    values.set(`${unit.path}#param${String(parameter.pos)}`, { term, node });
    if (!ts.isObjectBindingPattern(parameter.name)) return;
    // Elements with a default have names of their own.
    for (const element of parameter.name.elements) {
      if (element.initializer === undefined || !ts.isIdentifier(element.name)) continue;
      const given = member(term, nameText(unit, element.propertyName ?? element.name));
      add(element.name, { term: given.kind === 'const' && given.value === undefined ? termOf(unit, element.initializer) : given, node: undefined });
    }
  });
  return values;

  function add(name: ts.Identifier, value: ParameterValue): void {
    const binding = unit.scopes.resolve(name);
    if (binding !== undefined && binding.writes.length === 0) values.set(`${unit.path}#${String(binding.id.pos)}`, value);
  }
}

/** Tells names that live in the function and are no parameters. */
function localNames({ unit, fn }: ReadableFunction, values: ReadonlyMap<string, unknown>): (id: string) => boolean {
  const prefix = `${unit.path}#`;
  return (id) => {
    if (values.has(id) || !id.startsWith(prefix)) return false;
    const at = Number(id.slice(prefix.length).replace('param', ''));
    return at >= fn.pos && at < fn.end;
  };
}

function propertyNode(unit: Unit, object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const { ts } = unit;
  for (const p of object.properties) {
    if (ts.isPropertyAssignment(p) && nameText(unit, p.name) === name) return p.initializer;
    if (ts.isShorthandPropertyAssignment(p) && p.name.text === name) return p.name;
  }
  return undefined;
}
