// Writes the JSON schemas of step-lock.config.json and step-lock.exceptions.json from the schemas the tool itself checks with, from the build. With --check: exits 1 on a
// difference.
import { writeOrCheck } from './write-or-check.mjs';

const { configJsonSchema } = await import('../dist/src/config/schema.js');
writeOrCheck('schema/step-lock.config.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`);

const { exceptionsJsonSchema } = await import('../dist/src/exceptions/schema.js');
writeOrCheck('schema/step-lock.exceptions.schema.json', `${JSON.stringify(exceptionsJsonSchema(), null, 2)}\n`);
