import { describe, expect, it } from 'vitest';
import { analyseText } from '../../fixtures/front-ends.js';

/** What is known of the state writes of a text: the rows, and what chooses them. */
function writesOf(text: string): string[] {
  return analyseText('/p/a.ts', text).sites.filter(({ facts }) => facts.subject === 'T').map(({ facts, outcomes }) => {
    const outcome = outcomes['require-cas'];
    return `${facts.subject === 'T' ? facts.target : ''}: ${outcome?.status === 'unknown' ? outcome.missing.fact.replace(/^.*?: /, '') : outcome?.status ?? ''}`;
  });
}

/** A plain text for the test of the layers, which reads those that hold nothing in places. */
const CALL = 'declare const jobs: { update(input: object): Promise<void> }; export const end = (id: string) => jobs.update({ id, data: { status: "completed" } });';

const REPOSITORY = (body: string): string => `import { PrismaClient } from '@prisma/client';
const prisma = new PrismaClient();
class JobRepository {
  async update(input: { id: string; projectId: string; data: { status: string } }): Promise<void> { ${body} }
}
declare function load(id: string): Promise<void>;
export class Jobs {
  constructor(private readonly repository: JobRepository) {}
  async run(id: string, projectId: string): Promise<void> {
    await this.repository.update({ id, projectId, data: { status: 'running' } });
    await load(id);
    await this.repository.update({ id, projectId, data: { status: 'completed' } });
  }
}
`;

describe('a method of the house that takes identity and values side by side', () => {
  it('writes the rows that its class is named for, chosen by what stands beside the values', () => {
    expect(writesOf(REPOSITORY('await prisma.job.update({ where: { id: input.id, projectId: input.projectId }, data: input.data });'))).toEqual(['Job: violated', 'Job: violated']);
  });

  it('is in doubt where the method cannot be read', () => {
    expect(writesOf(CALL)).toEqual(['jobs: a part of the condition cannot be followed']);
  });

  it('may compare what is written inside', () => {
    expect(writesOf(REPOSITORY("await prisma.job.updateMany({ where: { id: input.id, status: 'queued' }, data: input.data });")).filter((w) => w.startsWith('Job'))).toEqual(['Job: a part of the condition cannot be followed', 'Job: a part of the condition cannot be followed']);
  });
});
