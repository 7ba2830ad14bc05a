import { describe, expect, it } from 'vitest';
import { analyseText } from '../../fixtures/front-ends.js';

function alike(text: string): string[] {
  return analyseText('/src/look.ts', text).lookAlikes.map(({ place, configLine }) => `${String(place.line)} ${configLine}`);
}

describe('look-alikes', () => {
  it('are calls named like an acquire that nothing proves', () => {
    expect(alike(`
import { acquireSlot, tryLock } from 'house-locks';
export async function run(client: any, id: string): Promise<void> {
  await tryLock(id);
  await client.takeLock(id);
}
`)).toEqual([
      "4 locks: [{ id: 'tryLock', package: 'house-locks', operations: [{ op: 'acquire', call: 'tryLock', key: 'arg0' }] }]",
      "5 locks: [{ id: 'takeLock', operations: [{ op: 'acquire', call: 'takeLock', key: 'arg0' }] }]",
    ]);
  });

  it('are no locks of the screen, no stream locks and nothing whose body is in sight', () => {
    expect(alike(`
declare const screen: { orientation: { lock(mode: string): Promise<void> } };
declare const reader: { releaseLock(): void };
async function acquireTicket(id: string): Promise<string> { return id; }
export async function run(id: string): Promise<void> {
  await screen.orientation.lock('portrait');
  reader.releaseLock();
  await acquireTicket(id);
}
`)).toEqual([]);
  });

  it('are writes of a named state in a table that nothing else says to be step state, one a table', () => {
    expect(alike(`
import { PrismaClient } from '@prisma/client';
declare const prisma: PrismaClient;
export async function approve(id: string): Promise<void> {
  await prisma.partner.update({ where: { id }, data: { status: 'escalated' } });
}
export async function archive(id: string): Promise<void> {
  await prisma.partner.update({ where: { id }, data: { status: 'settled' } });
}
`)).toEqual(["5 targets: [{ name: 'partner', column: 'status' }]"]);
  });
});
