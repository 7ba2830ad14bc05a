import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FlowEdge, FlowGraph, FlowNode } from '../../../src/engine/flow/cfg-types.js';
import { graphOf } from './flow-paths.js';

/** What a call of the generated program answered. */
type Answer = 'throws' | boolean | null | number;

interface Step {
  readonly call: string;
  readonly answer: Answer;
}

interface Run {
  readonly steps: readonly Step[];
  readonly end: 'exit' | 'throw-exit';
}

const MOST_STEPS = 150;

// The oracle is JavaScript itself: whatever a random program does when it runs must be a path of its graph.
it('every execution is a path of the graph', () => {
  const choices = fc.array(fc.nat(1_000), { minLength: 10, maxLength: 120 });
  const answers = fc.array(fc.constantFrom<Answer>('throws', true, true, false, null, 1, 2), { maxLength: 40 });
  fc.assert(fc.property(choices, answers, (tape, replies) => {
    const program = writeProgram(tape);
    const run = execute(program, replies);
    const graph = graphOf(`function root(v) {\n${program}\n}`, { throwing: () => true });
    expect(isPath(graph, run), `${program}\n${JSON.stringify(run)}`).toBe(true);
  }), { numRuns: 1_500 });
});

/** Turns numbers into a function body whose every visible step is a call `v(n)`. */
function writeProgram(tape: readonly number[]): string {
  let position = 0;
  let calls = 0;
  let loops = 0;
  const choose = (below: number): number => (tape[position++] ?? 0) % below;
  const call = (): string => `v(${calls++})`;

  const expression = (depth: number): string => {
    if (depth <= 0) return call();
    const inner = (): string => expression(depth - 1);
    switch (choose(9)) {
      case 1: return `(${inner()} && ${inner()})`;
      case 2: return `(${inner()} || ${inner()})`;
      case 3: return `(${inner()} ?? ${inner()})`;
      case 4: return `!${inner()}`;
      case 5: return `(${inner()} ? ${inner()} : ${inner()})`;
      case 6: return `(${inner()}, ${inner()})`;
      case 7: return `(${call()}?.[${inner()}])`;
      default: return call();
    }
  };

  const statements = (depth: number, labels: readonly string[]): string => Array.from({ length: 1 + choose(3) }, () => statement(depth, labels)).join('\n');

  const jump = (labels: readonly string[]): string => {
    const label = labels[choose(labels.length)];
    const keyword = choose(2) === 0 ? 'break' : 'continue';
    return `if (${call()}) ${keyword}${choose(2) === 0 ? '' : ` ${label}`};`;
  };

  const statement = (depth: number, labels: readonly string[]): string => {
    const simple = choose(6);
    if (depth <= 0 || simple < 2) {
      if (simple === 2 && labels.length > 0) return jump(labels);
      if (simple === 3) return `if (${call()}) return ${call()};`;
      if (simple === 4) return `if (${call()}) throw ${call()};`;
      return simple === 5 && labels.length > 0 ? jump(labels) : `${expression(2)};`;
    }
    const inner = (more: readonly string[] = []): string => `{\n${statements(depth - 1, [...labels, ...more])}\n}`;
    const label = `l${loops++}`;
    switch (choose(9)) {
      case 0: return `if (${expression(2)}) ${inner()} else ${inner()}`;
      case 1: return `try ${inner()} catch ${inner()}`;
      case 2: return `try ${inner()} finally ${inner()}`;
      case 3: return `try ${inner()} catch ${inner()} finally ${inner()}`;
      case 4: return `${label}: while (${expression(1)}) ${inner([label])}`;
      case 5: return `${label}: do ${inner([label])} while (${expression(1)});`;
      case 6: return `${label}: for (${call()}; ${expression(1)}; ${call()}) ${inner([label])}`;
      case 7: return `${label}: for (const x of [1, 2]) ${inner([label])}`;
      default: return `switch (${call()}) { case 1: ${statements(depth - 1, labels)} case ${call()}: ${statements(depth - 1, labels)} default: ${statements(depth - 1, labels)} case 2: }`;
    }
  };

  return statements(4, []);
}

function execute(program: string, replies: readonly Answer[]): Run {
  const steps: Step[] = [];
  const v = (id: number): Answer => {
    // At the end everything throws, which ends every loop: each has a call in its condition.
    const answer = steps.length > MOST_STEPS ? 'throws' : replyAt(replies, steps.length);
    steps.push({ call: `v(${id})`, answer });
    if (answer === 'throws') throw new Error('thrown');
    return answer;
  };
  try {
    new Function('v', program)(v);
    return { steps, end: 'exit' };
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    return { steps, end: 'throw-exit' };
  }
}

function replyAt(replies: readonly Answer[], index: number): Answer {
  const reply = replies[index];
  return reply === undefined ? false : reply;
}

function isPath(graph: FlowGraph, { steps, end }: Run): boolean {
  const latest = latestAnswers(steps);
  const seen = new Set<string>();
  const waiting: [id: number, taken: number][] = [[graph.entry, 0]];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const [id, taken] = place;
    const node = graph.nodes[id];
    if (node === undefined || seen.has(place.join())) continue;
    seen.add(place.join());
    if (node.kind === end && taken === steps.length) return true;
    if (node.kind !== 'call') {
      for (const edge of node.edges) if (allows(node, edge, latest[taken])) waiting.push([edge.to, taken]);
      continue;
    }
    const step = steps[taken];
    if (step?.call !== node.node?.getText()) continue;
    for (const edge of node.edges) if ((edge.kind === 'throw') === (step?.answer === 'throws')) waiting.push([edge.to, taken + 1]);
  }
  return false;
}

/** For each number of steps taken, the last answer of each call. */
function latestAnswers(steps: readonly Step[]): ReadonlyMap<string, Answer>[] {
  const latest: Map<string, Answer>[] = [new Map()];
  for (const { call, answer } of steps) latest.push(new Map(latest.at(-1)).set(call, answer));
  return latest;
}

/** A test on a call must follow its answer; one on something else (an indexed value, a loop's next item) may go either way. */
function allows(node: FlowNode, edge: FlowEdge, latest: ReadonlyMap<string, Answer> | undefined): boolean {
  if (edge.kind === 'case') return edge.caseOf === undefined || matches(edge, latest);
  if (node.kind !== 'test') return true;
  const answer = latest?.get(node.node?.getText() ?? '');
  if (answer === undefined) return true;
  return (node.asks === 'present' ? answer !== null : Boolean(answer)) === (edge.kind === 'true');
}

function matches(edge: FlowEdge, latest: ReadonlyMap<string, Answer> | undefined): boolean {
  const switched = latest?.get(edge.switchOn?.getText() ?? '');
  const text = edge.caseOf?.getText() ?? '';
  const clause = latest?.get(text);
  return switched === (clause === undefined ? Number(text) : clause);
}
