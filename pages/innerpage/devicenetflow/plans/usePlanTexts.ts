import { useTranslation } from 'react-i18next';
import type { PlanAction } from '../../../../shared/protocol/netflow/netflowWords.ts';
import type { PlanTexts } from './planForm.ts';

export function usePlanFormTexts(): PlanTexts {
  const { t } = useTranslation('Netflow');
  return {
    noName: t('Enter a name.'),
    badMegabytes: t('Enter a whole number of at least 1.'),
    noZone: t('Select a time zone.'),
  };
}

/** What each action does, in a sentence. */
export function useActionHints(): Readonly<Record<PlanAction, string>> {
  const { t } = useTranslation('Netflow');
  return {
    none: t('Nothing is limited. Events still tell how much is used.'),
    'sub-stream': t('Live video uses the sub stream, which needs less data. Recording in the main stream stops.'),
    'events-only': t('Video passes only when an event asks for it. Viewers and the recorder get none.'),
    'no-video': t('No video passes, not even of events.'),
    'no-transfers': t('Data sync and firmware updates wait until the plan starts over.'),
  };
}
