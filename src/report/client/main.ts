// The script of the HTML report. The page is complete without it; it adds filters, search, keys, copying and the choice of colours.
import { startCopying } from './copy.js';
import { startFilters } from './filters.js';
import { startKeys } from './keys.js';
import { startPrinting } from './print.js';
import { startTheme } from './theme.js';

const theme = startTheme();
const filters = startFilters();
const copying = startCopying();
startKeys({ toggleTheme: theme.toggle, copy: copying.copy, shown: filters.shown });
startPrinting();
