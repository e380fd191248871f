import type { Mutant } from '../mutant.ts';

export const DOM_MUTANTS: readonly Mutant[] = [
  {
    name: 'A filter that the list is not asked with',
    area: 'tables',
    file: 'shared/ui/table/tableState.ts',
    text: 'filters: { ...scope, ...filters },',
    replacement: 'filters: { ...scope },',
    part: { layer: 'dom', path: 'test/dom/ui/table/' },
  },
  {
    name: 'A list that cannot be loaded and says nothing of it',
    area: 'tables',
    file: 'shared/ui/table/DataTable.tsx',
    text: '{list.failure !== undefined && (',
    replacement: '{list.failure !== undefined && rows.length === 0 && (',
    part: { layer: 'dom', path: 'test/dom/ui/table/' },
  },
  {
    name: 'A form of a sender that loses its limit when it is saved',
    area: 'notifications',
    file: 'pages/innerpage/sender/form/senderForm.ts',
    text: 'perMinute: perMinute ?? 0, settings };',
    replacement: 'perMinute: 0, settings };',
    part: { layer: 'dom', path: 'test/dom/pages/sender/' },
  },
  {
    name: 'An empty list that does not say what to do first',
    area: 'firmware',
    file: 'shared/ui/table/TableNotices.tsx',
    text: "{isNarrowed ? t('No results. Change the search or filters.') : hint}",
    replacement: "{isNarrowed && t('No results. Change the search or filters.')}",
    part: { layer: 'dom', path: 'test/dom/pages/firmware/' },
  },
];
