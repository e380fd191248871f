// Run by `npm run fix`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../sourceFiles.ts';
import { findLimits } from './findLimits.ts';
import { limitsDocument } from './limitsDocument.ts';

writeFileSync(join(repository, 'docs/limits.md'), limitsDocument(findLimits(repository)));
