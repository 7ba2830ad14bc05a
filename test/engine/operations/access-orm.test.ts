import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ormAccess } from '../../../src/engine/operations/access-orm.js';
import type { ColumnAssignment, ColumnCondition, StateAccess } from '../../../src/engine/operations/state-access.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { showTerm } from '../../../src/engine/syntax/term.js';
import { createUnits } from '../../../src/engine/syntax/unit.js';

function accesses(code: string): readonly StateAccess[] {
  const file = ts.createSourceFile('case.ts', code, ts.ScriptTarget.Latest, true);
  const unit = createUnits(ts, NO_PROJECT).of(file);
  const found: StateAccess[] = [];
  const visit = (n: ts.Node): void => {
    const access = ts.isCallExpression(n) ? ormAccess(unit, n) : undefined;
    if (access !== undefined) found.push(access);
    ts.forEachChild(n, visit);
  };
  visit(file);
  return found;
}

function showCondition(c: ColumnCondition): string {
  const values = c.source === 'store' ? ' store' : c.values.map((v) => ` ${showTerm(v)}`).join('');
  return `${c.column} ${c.op}${values}${c.mayBeAbsent ? ' maybe' : ''}`;
}

function showAssignment(a: ColumnAssignment): string {
  return `${a.column}=${a.source === 'code' ? (a.value && showTerm(a.value)) ?? '?' : a.source}`;
}

function show(a: StateAccess): string {
  if (a.kind === 'transaction') return `tx ${a.isolation} ${a.client === undefined ? '-' : showTerm(a.client)}${a.body === undefined ? ' no body' : ''}`;
  const where = `[${a.where.map(showCondition).join(', ')}${a.whereOpen ? ' ..' : ''}]`;
  if (a.kind === 'read') return `read ${a.layer} ${String(a.target)} ${where} ${a.single ? 'one' : 'many'}${a.lock === 'none' ? '' : ` ${a.lock}`}`;
  return `${a.verb} ${a.layer} ${String(a.target)} {${a.set.map(showAssignment).join(', ')}${a.setOpen ? ' ..' : ''}} ${where}${a.locksRows ? ' locks' : ''} -> ${a.result.label}`;
}

const NONE: readonly string[] = [];
const of = (code: string): readonly string[] => accesses(code).map(show);

const CASES: readonly (readonly [name: string, code: string, expected: readonly string[]])[] = [
  ['prisma update by identity', `db.step.update({ where: { id }, data: { status: 'RUNNING', tries: { increment: 1 } } })`,
    [`update prisma step {status='RUNNING', tries=old-value} [id eq id] -> handle or throws`]],
  ['prisma updateMany on a delegate in a field', `class A { f(id) { return this.batches.updateMany({ where: { id, status: { in: ['a', 'b'] }, OR: [{ x: null }, { y: { lt: 3 } }] }, data: { status: 'c' } }); } }`,
    [`update prisma batches {status='c'} [id eq id, status in 'a' 'b', x is-null maybe, y lt 3 maybe] -> object with count`]],
  ['prisma values that may be dropped', `p.step.updateMany({ where: { id, status: from ? from : undefined, ...(v && { version: v }), NOT: { state: 'x' } }, data: { ...patch, status: 's' } })`,
    [`update prisma step {status='s' ..} [id eq id, status eq from maybe, version eq v maybe, state ne 'x'] -> object with count`]],
  ['prisma where in a variable with later additions', `function f(id, from) { const where = { id }; if (from) { where.status = from; } return p.step.updateMany({ where, data: { status: 's' } }); }`,
    [`update prisma step {status='s'} [id eq id, status eq from maybe] -> object with count`]],
  ['prisma where that comes from elsewhere', `p.step.updateMany({ where: args.where, data: { status: 's' } })`, [`update prisma step {status='s'} [ ..] -> object with count`]],
  ['prisma transaction', `p.$transaction(async (tx) => { await tx.step.findUnique({ where: { id } }); }, { isolationLevel: 'Serializable' }); p.$transaction([a, b]);`,
    ['tx serializable tx', 'read prisma step [id eq id] one', 'tx default - no body']],
  ['drizzle update with returning', `const steps = pgTable('step_runs', {}); db.update(steps).set({ status: 'running', n: sql\`\${steps.n} + 1\`, at: sql\`now()\` }).where(and(eq(steps.id, id), inArray(steps.status, ['a', 'b']), isNull(steps.owner))).returning()`,
    [`update drizzle step_runs {status='running', n=old-value, at=store} [id eq id, status in 'a' 'b', owner is-null] -> rows`]],
  ['drizzle upsert', `db.insert(t).values({ id }).onConflictDoUpdate({ target: t.id, set: { status: 's' }, setWhere: eq(t.status, 'p') })`, [`upsert drizzle t {status='s'} [status eq 'p'] -> object with rowCount`]],
  ['drizzle locking read in a transaction', `db.transaction(async (tx) => { const [r] = await tx.select().from(t).where(or(eq(t.s, 'a'), eq(t.s, 'b'))).for('update', { skipLocked: true }); })`,
    ['tx default tx', `read drizzle t [s in 'a' 'b'] many skip-locked`]],
  ['drizzle rows chosen by a locking subselect', `const next = db.select({ id: t.id }).from(t).where(eq(t.s, 'a')).for('update'); await db.update(t).set({ s: 'b' }).where(inArray(t.id, next)).returning()`,
    [`read drizzle t [s eq 'a'] many wait`, `update drizzle t {s='b'} [id in store] locks -> rows`]],
  ['knex update', `knex('steps').where({ id }).andWhere('status', 'in', ['a']).whereNull('owner').whereNot('x', 1).update({ status: 'r', n: knex.raw('n + 1') })`,
    [`update knex steps {status='r', n=old-value} [id eq id, status in 'a', owner is-null, x ne 1] -> count`]],
  ['knex callbacks and alternatives', `trx('steps').where('id', id).andWhere((q) => q.whereNull('owner').orWhere('until', '<', knex.fn.now())).update({ owner }).returning('id')`,
    [`update knex steps {owner=owner} [id eq id, owner is-null maybe, until lt store maybe] -> rows`]],
  ['knex locking read', `const r = await trx('steps').where({ status: 'q' }).forUpdate().skipLocked().first()`, [`read knex steps [status eq 'q'] one skip-locked`]],
  ['kysely update', `db.updateTable('steps').set({ status: 'r' }).where('id', '=', id).where('status', 'in', ['a', 'b']).executeTakeFirst()`,
    [`update kysely steps {status='r'} [id eq id, status in 'a' 'b'] -> object with numUpdatedRows`]],
  ['kysely with returning, and in a transaction', `db.transaction().execute(async (trx) => { await trx.updateTable('s').set((eb) => ({ n: eb('n', '+', 1) })).where('id', '=', id).returning('id').executeTakeFirstOrThrow(); })`,
    ['tx default trx', `update kysely s {n=old-value} [id eq id] -> handle or throws`]],
  ['typeorm update', `import { Repository } from 'typeorm'; class A { constructor(private r: Repository<Run>) {} f(id) { return this.r.update({ id, status: In(['a', 'b']), owner: IsNull(), v: Not(3) }, { status: 'c' }); } }`,
    [`update typeorm Run {status='c'} [id eq id, status in 'a' 'b', owner is-null, v ne 3] -> object with affected`]],
  ['typeorm manager and key criteria', `manager.update(Run, id, { status: 'c', n: () => 'n + 1' })`, [`update typeorm Run {status='c', n=old-value} [id eq id] -> object with affected`]],
  ['typeorm builder with text', `ds.createQueryBuilder().update(Run).set({ status: 'c' }).where('id = :id AND status IN (:...from)', { id, from: ['a', 'b'] }).andWhere('owner IS NULL').execute()`,
    [`update typeorm Run {status='c'} [id eq id, status in 'a' 'b', owner is-null] -> object with affected`]],
  ['typeorm pessimistic read', `manager.findOne(Run, { where: { id }, lock: { mode: 'pessimistic_write' } })`, ['read typeorm Run [id eq id] one wait']],
  ['loaded, changed, saved', `async function f(id) { const run = await repo.findOneByOrFail({ id }); run.status = 'x'; run.n += 1; await repo.save(run); await repo.save(run); }`,
    ['read typeorm repo [id eq id] one', `save structural repo {status='x', n=run.n += 1} [id eq repo.findOneByOrFail({ id: id })] -> entity`]],
  ['document of a loop', `import m from 'mongoose'; async function f() { for (const p of await Post.find({ s: 'a' })) { Object.assign(p, { s: 'b' }); await p.save(); } }`,
    [`read mongoose Post [s eq 'a'] many`, `save mongoose Post {s='b'} [id eq p] -> entity`]],
  ['copy of a loaded object', `async function f(id) { const run = await store.load(id); await repo.save({ ...run, status: 'x' }); }`, [`save structural store {status='x'} [id eq store.load(id)] -> entity`]],
  ['unit of work', `async function f(id) { const j = await em.findOneOrFail(Job, id); j.status = 'x'; await em.flush(); }`,
    ['read mikro-orm Job [id eq id] one', `save structural Job {status='x'} [id eq em.findOneOrFail(Job, id)] -> void`]],
  ['mongodb updateOne', `c.updateOne({ _id: id, status: { $in: ['a', 'b'] }, owner: { $ne: me } }, { $set: { status: 'r' }, $inc: { n: 1 }, $unset: { x: '' } })`,
    [`update mongodb c {status='r', n=old-value, x=undefined} [_id eq id, status in 'a' 'b', owner ne me] -> object with matchedCount`]],
  ['mongoose findByIdAndUpdate and upsert', `M.findByIdAndUpdate(id, { status: 'r' }).lean(); M.findOneAndUpdate({ k }, { $set: { s: 1 } }, { upsert: true, includeResultMetadata: true })`,
    [`update mongodb M {status='r'} [_id eq id] -> handle or null`, `upsert mongodb M {s=1} [k eq k] -> object with value`]],
  ['patch that is assigned in branches', `async function f() { let out; try { out = { s: 'a' }; } catch (e) { out = { s: 'b', error: e }; } await M.updateOne({ _id }, { $set: out }); }`,
    [`update mongodb M {s='a', s='b', error=e ..} [_id eq _id] -> object with matchedCount`]],
  ['knex insert with merge', `knex('holds').insert({ name, holder, until }).onConflict('name').merge(['holder']).where('until', '<', knex.fn.now())`, [`upsert knex holds {holder=holder} [until lt store] -> count`]],
  ['typeorm criteria from elsewhere', `import 'typeorm'; class JobRepository { f(where) { return this.repo.update(where, { status: 'x' }); } }`, [`update typeorm Job {status='x'} [ ..] -> object with affected`]],
  ['persist and flush of one object', `async function f(id) { const j = await em.findOne(Job, id); j.status = 'x'; await em.persist(j).flush(); }`,
    ['read mikro-orm Job [id eq id] one', `save structural Job {status='x'} [id eq em.findOne(Job, id)] -> void`]],
  ['sequelize', `Step.update({ status: 'r' }, { where: { id, status: ['a', 'b'], n: { [Op.lt]: 3 } } })`, [`update sequelize Step {status='r'} [id eq id, status in 'a' 'b', n lt 3] -> array with the count`]],
  ['mikro-orm native update', `em.nativeUpdate(Job, { id, status: { $in: ['a'] } }, { status: 'b' })`, [`update mikro-orm Job {status='b'} [id eq id, status in 'a'] -> count`]],
  ['supabase', `sb.from('steps').update({ status: 'r' }).eq('id', id).not('status', 'in', '(a,b)').is('owner', null).select(); sb.from('steps').update({ s: 1 }).eq('id', id)`,
    [`update supabase steps {status='r'} [id eq id, status not-in 'a' 'b', owner is-null] -> object with data`, `update supabase steps {s=1} [id eq id] -> object with error`]],
  ['store by identity', `interface Store { persist(id: string, s: object): Promise<void>; saveIfVersion(id: string, version: number, s: object): Promise<boolean> } function f(store: Store) { store.persist(id, { ...s, status: 'r' }); store.saveIfVersion(id, v, { status: 'r' }); }`,
    [`persist repository store {status='r' ..} [id eq id] -> void`, `persist repository store {status='r'} [id eq id, version eq v] -> boolean`]],
  ['repository verbs', `stepRepo.updateStatus(id, 'done'); stepRepo.setState(id, 'a', 'b'); stepRepo.markRunning(id)`,
    [`verb repository stepRepo {status='done'} [id eq id] -> unknown`, `verb repository stepRepo {state='b'} [id eq id, state eq 'a'] -> unknown`, `verb repository stepRepo {status='running' ..} [id eq id] -> unknown`]],
  ['guard object', `guard.transition(id, 'a', 'b', owner)`, [`transition structural guard {status='b'} [id eq id, status eq 'a'] -> union by outcome`]],
];

describe('ormAccess', () => {
  it.each(CASES)('%s', (_, code, expected) => {
    expect(of(code)).toEqual(expected);
  });

  it.each([
    `map.delete(x)`, `cache.set(k, { a: 1 })`, `res.status(200)`, `hash.update(x, 'utf8')`, `createHash('sha1').update(x).digest('hex')`, `setState({ a: 1 })`, `steps.find((s) => s.id === id)`,
    `form.update({ a: 1 })`, `list.filter(Boolean).map(f)`, `redis.set(key, 'v', 'NX')`, `useStore.setState({ status: 'x' })`, `this.store.set(id, 'text')`, `params.delete('a')`,
    `const user = users.find((u) => u.ok); user.name = 'x'; user.save()`, `doc.transaction(x)`, `animation.transition(a, b)`, `fs.write(fd, buffer)`, `element.update()`,
  ])('stays away from %s', (code) => {
    expect(of(code)).toEqual(NONE);
  });
});
