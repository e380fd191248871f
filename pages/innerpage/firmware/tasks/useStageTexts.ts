import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import { STAGE_PARTS, type StageCount, type StagePart } from './stageCounts.ts';

export interface StageTexts {
  readonly stageName: (stage: StageCount) => string;
  /** `Failed: 1` */
  readonly partText: (part: StagePart, number: number) => string;
  /** `Done: 3, Failed: 1`; says of a stage that hasn't begun just that. */
  readonly countsText: (stage: StageCount) => string;
}

export function useStageTexts(): StageTexts {
  const { t } = useTranslation('Firmware');
  const partText = (part: StagePart, number: number) => {
    const texts: Readonly<Record<StagePart, string>> = {
      done: t('Done: {{number}}', { number }),
      active: t('In progress: {{number}}', { number }),
      waiting: t('Waiting: {{number}}', { number }),
      failed: t('Failed: {{number}}', { number }),
      ended: t('Skipped or canceled: {{number}}', { number }),
    };
    return texts[part];
  };
  return {
    stageName: ({ isCanary, percent }) => (isCanary ? t('Canary devices') : t('Up to {{percent}}%', { percent })),
    partText,
    countsText: ({ counts, total }) =>
      total === 0
        ? t('Not started')
        : listText(STAGE_PARTS.filter((part) => counts[part] > 0).map((part) => partText(part, counts[part]))),
  };
}
