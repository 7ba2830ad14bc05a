import type { AuditResult } from '../audit/audit.js';
import type { Outcome } from '../engine/judge/outcome.js';
import { renderMessage, type RuleDefinition } from '../engine/judge/rule.js';
import type { Site } from '../engine/judge/site.js';
import type { LineHold, PlaceView } from '../engine/look-at.js';
import { printable } from '../report/paint.js';
import { localPaths, type LocalPaths } from '../review/local-path.js';

export interface Explained {
  /** The file that was asked for, absolute, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly view: PlaceView;
  readonly result: AuditResult;
  readonly rules: readonly RuleDefinition[];
}

/** How one line was judged, for a person: the function, its locks there, its callers, and each site of the line with what every rule says of it and why. */
export function explainPlace({ file, line, view, result, rules }: Explained): string {
  const local = localPaths(result.root);
  const here = result.analysis.sites.filter((s) => (s.place.file === file && s.place.line <= line && line <= s.place.endLine) || isReportedAt(s, file, line));
  const sections = [around(`${local.path(file)}:${String(line)}`, view, local), ...(here.length === 0 ? [nothingHere(file, line, result, local)] : here.map((s) => siteText(s, rules, local)))];
  return `${printable(sections.map((lines) => lines.join('\n')).join('\n\n'))}\n`;
}

/** A fault may be reported at another line than its site: at the exit that leaks, at the call that hands over the wrong value. */
function isReportedAt(site: Site, file: string, line: number): boolean {
  return Object.values(site.outcomes).some((o) => o.status === 'violated' && o.at.file === file && o.at.line === line);
}

function around(place: string, view: PlaceView, local: LocalPaths): string[] {
  return [
    `${place}  in ${view.fn.name}, which begins at line ${String(view.fn.place.line)}`,
    ...view.operations.map((o) => `  read as   ${o.kind} of ${o.key} by ${o.api} (${EVIDENCE[o.evidence]})`),
    ...view.locks.map((l) => `  lock      ${l.key}, taken at line ${String(l.place.line)} by ${l.api}: ${HOLDS[l.hold]}`),
    ...view.callers.calls.map((c) => `  caller    ${c.name} at ${local.path(c.place.file)}:${String(c.place.line)}`),
    ...(view.callers.othersPossible ? ['  callers   others are possible: the function is exported, handed on, or the file itself'] : []),
  ];
}

const EVIDENCE = {
  model: 'a library or command that is modelled', declared: 'a declared type of the shape', body: 'the body of the function it calls', name: 'a name, with a structural witness',
} as const satisfies Record<PlaceView['operations'][number]['evidence'], string>;

const HOLDS: Record<LineHold, string> = {
  held: 'held here on every path', some: 'held here on some paths only', 'not-held': 'not held here', unreached: 'no path from it leads here', unknown: 'too many paths to tell',
};

function nothingHere(file: string, line: number, result: AuditResult, local: LocalPaths): string[] {
  const alike = result.analysis.lookAlikes.find((l) => l.place.file === file && l.place.line === line);
  if (alike !== undefined) return [`look-alike  ${alike.name}: ${alike.why}`, `  to make it a subject, say in the configuration: ${alike.configLine}`];
  const skipped = result.skipped.find((s) => s.file === local.path(file));
  if (skipped !== undefined) return [`not judged  the file was skipped: ${skipped.reason}`];
  if (!result.judged.includes(file)) return ['not judged  the file holds none of the words of a lock or a state write'];
  const near = result.analysis.sites.filter((s) => s.place.file === file).sort((a, b) => Math.abs(a.place.line - line) - Math.abs(b.place.line - line)).slice(0, 3);
  return ['not judged  no lock operation and no state write stands on this line', ...near.map((s) => `  near      ${KINDS[s.subject]} at line ${String(s.place.line)}, in ${s.name}`)];
}

const KINDS = { A: 'acquire', L: 'release', E: 'extension', T: 'state write', I: 'lock implementation' } as const satisfies Record<Site['subject'], string>;

function siteText(site: Site, rules: readonly RuleDefinition[], local: LocalPaths): string[] {
  const facts = Object.entries(site.facts).filter(([name]) => name !== 'subject').map(([name, value]) => `  ${name.padEnd(10)}${Array.isArray(value) ? value.join(', ') || 'none' : String(value)}`);
  const told = rules.flatMap((rule) => {
    const outcome = site.outcomes[rule.id];
    return outcome === undefined || outcome.status === 'not-applicable' ? [] : outcomeText(rule, outcome, local);
  });
  const silent = rules.filter((r) => site.outcomes[r.id]?.status === 'not-applicable').map((r) => r.id);
  return [
    `${KINDS[site.subject]}  ${local.id(site.place)}`,
    ...facts,
    ...told,
    ...(silent.length === 0 ? [] : [`  not applicable: ${silent.join(', ')}`]),
  ];
}

function outcomeText(rule: RuleDefinition, outcome: Exclude<Outcome, { status: 'not-applicable' }>, local: LocalPaths): string[] {
  const head = `  ${outcome.status.padEnd(9)} ${rule.id}`;
  if (outcome.status === 'unknown') return [head, `      missing  ${local.text(outcome.missing.fact)}`, `      asks     ${local.text(outcome.missing.question)}`];
  if (outcome.status === 'verified') return [head, ...outcome.evidence.map((e) => `      ${local.path(e.place.file)}:${String(e.place.line)}  ${local.text(e.note)}`)];
  const silenced = outcome.supersededBy === undefined ? '' : `, told by ${outcome.supersededBy}`;
  return [
    `${head}  ${outcome.certainty}${silenced}`,
    `      ${local.text(renderMessage(rule, outcome.messageId, outcome.data))}`,
    ...outcome.witness.map((step, at) => `      ${String(at + 1)} ${step.role.padEnd(8)} ${local.path(step.place.file)}:${String(step.place.line)}  ${local.text(step.note)}`),
    `      to do    ${outcome.action}`,
  ];
}
