import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import { jobLeases, type JobLease } from '../time/job-lease.js';
import { isAgain } from '../time/renewed.js';
import { timeOf } from '../time/section-time.js';
import { leaseSection, type LeaseSection, type LeaseStep } from './lease-time.js';

/** The lease of a job that a queue hands out, as `require-renewal` judges it. No other rule does. */
export interface JobLeaseSubject {
  readonly kind: 'job';
  readonly unit: Unit;
  readonly lease: JobLease;
  readonly place: Place;
  /** How long the work takes, as far as its code tells. */
  readonly section: LeaseSection;
  /** Work that lets nothing else run in its process, the longest first. */
  readonly blocking: readonly (LeaseStep & { readonly ms: number })[];
  /** A call by which the work renews; `isAgain`: more than once. */
  readonly renewed: { readonly place: Place; readonly isAgain: boolean } | undefined;
}

/** The job leases of a file. A library's own default is a subject only where the known work is longer. */
export function jobSubjects(unit: Unit): JobLeaseSubject[] {
  return jobLeases(unit).flatMap((lease): JobLeaseSubject[] => {
    const spent = timeOf({ unit, counts: (n) => n.pos >= lease.from, skips: (n) => n === lease.node }, lease.work, true);
    const section = leaseSection(unit, spent, () => false);
    const blocking = spent.steps.filter((s) => blocks(s.inner?.unit ?? unit, s.inner?.node ?? s.node)).sort((a, b) => b.ms - a.ms);
    if (!lease.isSet && (lease.renews !== undefined ? blocking[0]?.ms ?? 0 : section.ms) <= lease.ttlMs) return [];
    const renewal = renewalIn(unit, lease);
    return [{
      kind: 'job', unit, lease, place: unit.placeOf(lease.node), section, blocking: leaseSection(unit, { ...spent, steps: blocking }, () => false).steps,
      renewed: renewal && { place: unit.placeOf(renewal), isAgain: isAgain(unit, renewal) },
    }];
  });
}

/** No timer of the process runs meanwhile, the library's renewal neither. */
function blocks(unit: Unit, node: ts.Node): boolean {
  return unit.ts.isCallExpression(node) && /Sync$/.test(calledName(unit, node));
}

function renewalIn(unit: Unit, { work, renewal, node: own }: JobLease): ts.Node | undefined {
  const { ts } = unit;
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    if (n !== own && (ts.isCallExpression(n) || ts.isNewExpression(n)) && (renewal.test(calledName(unit, n)) || RENEWS.test(calledName(unit, n)))) found = n;
    else ts.forEachChild(n, visit);
  };
  visit(work);
  return found;
}

/** Helpers by their names. */
const RENEWS = /renew|heart_?beat|keep_?alive|extend\w*(?:Lock|Lease|Visibility|Timeout)/i;
