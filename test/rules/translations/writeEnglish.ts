// Run by `npm run fix`.
import { join } from 'node:path';
import { repository } from '../sourceFiles.ts';
import { writeEnglishFiles } from './englishFiles.ts';
import { keysByFile, keysInUse } from './keysInUse.ts';

writeEnglishFiles(join(repository, 'public/locales/en'), keysInUse(keysByFile()));
