import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { mapResult } from '../../../../shared/api/client.ts';
import { loadEventTypes } from '../../../../shared/api/eventTypes.ts';
import type { ListQuery } from '../../../../shared/api/list.ts';
import { tagOfLocale } from '../../../../shared/i18n/languages.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import { localPage } from '../../../../shared/ui/table/localPage.ts';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { nameOfType } from '../names.ts';
import { type TypeRow, type TypesFilter, typeList } from './typeRows.ts';

export function useTypesTable(filter: TypesFilter) {
  useTranslation('EventTypes');
  const locale = currentLocale();
  // Names are sorted once their texts have come.
  const hasTexts = i18next.hasResourceBundle(locale, 'EventTypes');
  return useTable<TypeRow>({
    name: 'event-types',
    load: loadPage,
    sorting: { column: 'name', descending: false },
    filters: useMemo(() => ({ ...filter }), [filter]),
    scope: useMemo(() => ({ names: `${locale} ${hasTexts}` }), [locale, hasTexts]),
    changedBy: ['eventtype'],
  });
}

async function loadPage(query: ListQuery, signal: AbortSignal) {
  const { compare } = new Intl.Collator(tagOfLocale(currentLocale()), { numeric: true });
  return mapResult(await loadEventTypes(signal), (types) => {
    const rows = types.map((type) => ({ ...type, name: nameOfType(type) }));
    return localPage(typeList(rows, compare), query);
  });
}
