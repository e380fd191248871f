import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiResult, mapResult } from '../../../../shared/api/client.ts';
import { loadEventRules } from '../../../../shared/api/eventConfig.ts';
import { loadEventWords } from '../../../../shared/api/eventTypes.ts';
import type { ListPage, ListQuery } from '../../../../shared/api/list.ts';
import { eventTypeText } from '../../../../shared/i18n/eventTypeText.ts';
import { tagOfLocale } from '../../../../shared/i18n/languages.ts';
import { currentLocale } from '../../../../shared/i18n/start.ts';
import type { EventRuleRow, RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import type { EventTypeName } from '../../../../shared/protocol/api/eventTypes.ts';
import { shownName } from '../../../../shared/protocol/events/givenNames.ts';
import { localPage } from '../../../../shared/ui/table/localPage.ts';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { type RuleRow, type RulesFilter, ruleList } from './ruleRows.ts';

export function useRulesTable(place: RuleScopeQuery, filter: RulesFilter) {
  useTranslation('EventTypes');
  const locale = currentLocale();
  // Names are sorted once their texts have come.
  const hasTexts = i18next.hasResourceBundle(locale, 'EventTypes');
  return useTable<RuleRow>({
    name: 'event-rules',
    load: (query, signal) => loadPage(place, query, signal),
    sorting: { column: 'category', descending: false },
    filters: useMemo(() => ({ ...filter }), [filter]),
    scope: useMemo(() => ({ ...place, names: `${locale} ${hasTexts}` }), [place, locale, hasTexts]),
    changedBy: ['eventrule', 'eventtype', 'group', 'device'],
  });
}

async function loadPage(
  place: RuleScopeQuery,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ApiResult<ListPage<RuleRow>>> {
  const { compare } = new Intl.Collator(tagOfLocale(currentLocale()), { numeric: true });
  const [rules, words] = await Promise.all([loadEventRules(place, signal), loadEventWords(signal)]);
  if (!words.ok) return words;
  const types = new Map(words.value.types.map((type) => [type.code, type]));
  return mapResult(rules, (rows) =>
    localPage(
      ruleList(
        rows.map((row) => withName(row, types.get(row.type))),
        compare,
      ),
      query,
    ),
  );
}

function withName(row: EventRuleRow, type: EventTypeName | undefined): RuleRow {
  const builtIn = eventTypeText(row.type);
  const name = type === undefined ? builtIn : shownName(type, currentLocale(), builtIn);
  return { ...row, name, icon: type?.icon ?? 'flag', color: type?.color ?? '' };
}
