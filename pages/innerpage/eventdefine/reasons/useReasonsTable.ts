import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { mapResult } from '../../../../shared/api/client.ts';
import { loadEventReasons } from '../../../../shared/api/eventTypes.ts';
import type { ListQuery } from '../../../../shared/api/list.ts';
import { tagOfLocale } from '../../../../shared/i18n/languages.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import { localPage } from '../../../../shared/ui/table/localPage.ts';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { nameOfReason } from '../names.ts';
import { type ReasonRow, reasonList } from './reasonForm.ts';

export function useReasonsTable() {
  useTranslation('EventReasons');
  const locale = currentLocale();
  // Names are sorted once their texts have come.
  const hasTexts = i18next.hasResourceBundle(locale, 'EventReasons');
  return useTable<ReasonRow>({
    name: 'event-reasons',
    load: loadPage,
    sorting: { column: 'name', descending: false },
    scope: useMemo(() => ({ names: `${locale} ${hasTexts}` }), [locale, hasTexts]),
    changedBy: ['eventtype'],
  });
}

async function loadPage(query: ListQuery, signal: AbortSignal) {
  const { compare } = new Intl.Collator(tagOfLocale(currentLocale()), { numeric: true });
  return mapResult(await loadEventReasons(signal), (reasons) => {
    const rows = reasons.map((reason) => ({ ...reason, name: nameOfReason(reason) }));
    return localPage(reasonList(rows, compare), query);
  });
}
