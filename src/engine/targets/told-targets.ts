import type { StateTargetModel } from '../models.js';
import type { Unit } from '../syntax/unit.js';
import { isInFlight, isTerminal, normalised, stateWord, targetKey } from './step-words.js';

/** What the user said of a table, model or document. */
export function toldTarget({ models }: Unit, target: string | undefined): StateTargetModel | undefined {
  return target === undefined ? undefined : models.targets?.find(({ name }) => isNamed(name, target));
}

/** Whether the user said that a table, model or document holds no step state. What is declared as step state is not ignored. */
export function isIgnoredTarget(unit: Unit, target: string | undefined): boolean {
  return target !== undefined && unit.models.ignoredTargets?.some((name) => isNamed(name, target)) === true && toldTarget(unit, target) === undefined;
}

function isNamed(name: string, target: string): boolean {
  return /^\/.+\/$/.test(name) ? new RegExp(name.slice(1, -1)).test(target) : targetKey(name) === targetKey(target);
}

/** Whether the user named the column as the one that tells the state. */
export function isToldColumn(told: StateTargetModel | undefined, column: string): boolean {
  return told?.column !== undefined && normalised(told.column) === normalised(column.slice(column.lastIndexOf('.') + 1));
}

/** The states the user listed, in whatever role. */
export function toldStates({ inFlight = [], terminal = [], transitions = {} }: StateTargetModel): readonly string[] {
  return [...new Set([...inFlight, ...terminal, ...Object.entries(transitions).flatMap(([from, to]) => [from, ...to])])];
}

/** A state that a step is meant to keep: as the user said, else by the word. */
export function isTerminalIn(told: StateTargetModel | undefined, word: string): boolean {
  if (lists(told?.terminal, word)) return true;
  return !lists(told?.inFlight, word) && !leadsOn(told, word) && isTerminal(word);
}

/** A state that something still has to be done with: as the user said, else by the word. */
export function isInFlightIn(told: StateTargetModel | undefined, word: string): boolean {
  if (lists(told?.inFlight, word) || leadsOn(told, word)) return true;
  return !lists(told?.terminal, word) && isInFlight(word);
}

function leadsOn(told: StateTargetModel | undefined, word: string): boolean {
  return Object.entries(told?.transitions ?? {}).some(([from, to]) => to.length > 0 && stateWord(from) === stateWord(word));
}

function lists(states: readonly string[] | undefined, word: string): boolean {
  return states?.some((s) => stateWord(s) === stateWord(word)) === true;
}
