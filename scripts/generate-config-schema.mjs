// Writes the JSON schema of step-lock.config.json from the schema the tool itself checks with, from the build. With --check: exits 1 on a
// difference.
import { writeOrCheck } from './write-or-check.mjs';

const { configJsonSchema } = await import('../dist/src/config/schema.js');
writeOrCheck('schema/step-lock.config.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
