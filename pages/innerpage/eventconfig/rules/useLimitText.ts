import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { EventRuleRow } from '../../../../shared/protocol/api/eventConfig.ts';
import type { RuleNumberName } from '../../../../shared/protocol/events/ruleSettings.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import { shownNumber, toShown } from '../rule/ruleNumbers.ts';
import { useQuantityText } from '../rule/unitText.ts';

/** What a rule goes by, in a few words; '' for types without a rule. */
export function useLimitText(): (row: Pick<EventRuleRow, 'type' | 'values'>) => string {
  const { t } = useTranslation('EventConfig');
  const [quantityText, scheduleText] = [useQuantityText(), useScheduleText()];
  return ({ type, values }) => {
    const textOf = (name: RuleNumberName): string => {
      const number = shownNumber(type, name);
      const value = toShown(type, name, values[name]);
      return number === undefined || value === null ? '' : quantityText(value, number.unit);
    };
    const [high, low] = [textOf('threshold'), textOf('lowThreshold')];
    const limit = low === '' ? high : listText([t('below {{limit}}', { limit: low }), high].filter(Boolean));
    return listText([limit, textOf('durationSeconds'), scheduleText(values.schedule)].filter((text) => text !== ''));
  };
}
