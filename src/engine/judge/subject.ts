import type { SubjectKind } from './outcome.js';

/** What a rule judges. (The kinds are filled in by the engine.) */
export interface Subject { readonly kind: SubjectKind }
