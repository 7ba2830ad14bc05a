import { analyseParts } from '../engine/engine.js';
import { builtInModels } from '../models/index.js';
import { rules } from '../../rules/index.js';
import { createJudging } from './judging.js';

/** The engine with the models and rules of this package. */
export const judging = createJudging({ analyseParts, models: builtInModels, rules });
