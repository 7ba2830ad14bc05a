import type { Actor } from '../targets/actor.js';
import type { ActorKind } from '../targets/actor-words.js';
import type { Transition } from '../targets/transition.js';
import type { Writer } from '../targets/writers.js';
import { whereAt, type Rival } from './rival.js';
import { siteIdAt } from './site.js';

/** The same code, entered a second time. Where that run can end the row otherwise, at `end`, it is that end which is lost. */
export function secondRun({ unit, write }: Transition, { kind }: Actor, end: Writer | undefined, doubt: string | undefined): Rival {
  const place = end === undefined ? unit.placeOf(write.node) : end.unit.placeOf(end.node);
  const who = end === undefined ? SECOND_RUN[kind] : `${SECOND_RUN[kind]} (${whereAt(unit, end.unit, end.node)})`;
  return { site: siteIdAt(place), place, who, isNamed: true, endsElsewhere: false, run: end === undefined ? 'again' : 'otherwise', ...(doubt !== undefined && { doubt }) };
}

/** Queues and webhooks deliver at least once, people click twice, and timers fire while the last run is still at it. */
const SECOND_RUN: Readonly<Record<ActorKind, string>> = {
  queue: 'a second delivery of this job', webhook: 'a second delivery of this webhook', cron: 'an overlapping run of this timed job', http: 'a second request like this one',
  cancel: 'a second cancel', resume: 'a second resume', retry: 'a second retry', compensation: 'a second compensation', unknown: 'a second run of this code',
};
