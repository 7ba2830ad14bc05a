/** What the grades of guards mean, for the tables that name them. */
export const GUARD_LEGEND = 'A guard is what the condition of the write compares. Grades 0 to 2 keep no rival out (only the row is chosen, or it has to exist), '
  + '3 is a weak guard (some states are shut out), 4 and 5 are a compare-and-swap (the expected state, or a version).';
