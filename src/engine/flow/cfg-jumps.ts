import type { FlowDraft, OpenEdge } from './cfg-draft.js';
import type { FlowExit } from './cfg-types.js';

/** A place that jumps lead to: the end of a loop, its next turn, a catch clause, the end of the root. */
export interface Landing {
  readonly kind: 'landing';
  readonly exit: Exclude<FlowExit, 'normal'>;
  /** The labels a `break` or `continue` reaches it by. */
  readonly labels: readonly string[];
  /** Whether a `break` or `continue` without a label means it. */
  readonly unlabelled: boolean;
  readonly arrived: OpenEdge[];
}

/** Code that runs on every way out of a block: a finally block, a disposal. `run` is called once for each way out that is taken. */
interface Cleanup {
  readonly kind: 'cleanup';
  readonly run: (exit: FlowExit) => void;
  readonly leaving: Map<Landing, OpenEdge[]>;
}

/** The landings and cleanups around the place where the walk stands, innermost last. */
export class FlowJumps {
  readonly returns = landing('return');
  readonly throws = landing('throw');
  private readonly frames: (Landing | Cleanup)[] = [this.throws, this.returns];

  constructor(private readonly draft: FlowDraft) {}

  /** How many frames are open; `closeCleanupsAbove` takes it. */
  get depth(): number {
    return this.frames.length;
  }

  /** Runs `body` with a landing around it. What arrived there is in `landing.arrived` afterwards. */
  within(landing: Landing, body: () => void): void {
    this.frames.push(landing);
    body();
    this.frames.pop();
  }

  openCleanup(run: (exit: FlowExit) => void): void {
    this.frames.push({ kind: 'cleanup', run, leaving: new Map() });
  }

  /** Ends the blocks whose cleanups were opened since `depth` was read: innermost first, with one copy for each way out. */
  closeCleanupsAbove(depth: number): void {
    while (this.frames.length > depth) this.closeCleanup();
  }

  /** An exception leaves a node. The walk goes on behind the node as well. */
  raise(id: number | undefined): void {
    if (id !== undefined) this.leave([{ from: id, label: { kind: 'throw' } }], this.innermost(frame => frame.exit === 'throw'));
  }

  /** The walk ends with an exception that certainly leaves a node. */
  throwFrom(id: number | undefined): void {
    this.draft.open = [];
    this.raise(id);
  }

  return(): void {
    this.leave(this.draft.take(), this.returns);
  }

  /** `break` or `continue`. One without a target is a syntax error: its path ends there. */
  jump(exit: 'break' | 'continue', label: string | undefined): void {
    const edges = this.draft.take();
    this.leave(edges, this.innermost(frame => frame.exit === exit && (label === undefined ? frame.unlabelled : frame.labels.includes(label))));
  }

  private closeCleanup(): void {
    const { draft } = this;
    const cleanup = this.frames.pop();
    if (cleanup?.kind !== 'cleanup') throw new Error('flow graph: a jump target outlives its statement');
    if (!draft.isDead) cleanup.run('normal');
    const after = draft.take();
    for (const [target, edges] of cleanup.leaving) {
      draft.open = edges;
      cleanup.run(target.exit);
      this.leave(draft.take(), target);
    }
    draft.open = after;
  }

  private leave(edges: readonly OpenEdge[], target: Landing | undefined): void {
    if (edges.length === 0 || target === undefined) return;
    for (let index = this.frames.length - 1; index >= 0; index--) {
      const frame = this.frames[index];
      if (frame?.kind === 'cleanup') {
        collect(frame.leaving, target, edges);
        return;
      }
      if (frame === target) break;
    }
    append(target.arrived, edges);
  }

  private innermost(matches: (frame: Landing) => boolean): Landing | undefined {
    for (let index = this.frames.length - 1; index >= 0; index--) {
      const frame = this.frames[index];
      if (frame?.kind === 'landing' && matches(frame)) return frame;
    }
    return undefined;
  }
}

/** A new landing that nothing has jumped to yet. */
export function landing(exit: Landing['exit'], labels: readonly string[] = [], unlabelled = false): Landing {
  return { kind: 'landing', exit, labels, unlabelled, arrived: [] };
}

function collect(leaving: Map<Landing, OpenEdge[]>, target: Landing, edges: readonly OpenEdge[]): void {
  const collected = leaving.get(target);
  if (collected === undefined) leaving.set(target, [...edges]);
  else append(collected, edges);
}

// In place, and not by spreading into `push`: a root may hold thousands of exception edges.
function append(list: OpenEdge[], edges: readonly OpenEdge[]): void {
  for (const edge of edges) list.push(edge);
}
