import { expect, it } from 'vitest';
import { BUILT_IN_CODES, BUILT_IN_TYPES } from '../../../../../shared/protocol/events/builtInTypes.ts';
import {
  CATEGORY_NAMES,
  EVENT_WORDS,
  SEVERITY_NAMES,
  SOURCE_NAMES,
  STATUS_NAMES,
} from '../../../../../shared/protocol/events/eventNames.ts';

it.each([
  ['types', BUILT_IN_CODES.map((code) => BUILT_IN_TYPES[code].name)],
  ['severities', Object.values(SEVERITY_NAMES)],
  ['statuses', Object.values(STATUS_NAMES)],
  ['categories', Object.values(CATEGORY_NAMES)],
  ['sources', Object.values(SOURCE_NAMES)],
  ['all words, which share a file of translations', EVENT_WORDS],
])('no two have the same name: %s', (_, names) => {
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
});
