import { useTranslation } from 'react-i18next';
import { STAGE_PARTS, type StageCount, type StagePart } from './stageCounts.ts';

export interface StageTexts {
  readonly partName: (part: StagePart) => string;
  readonly stageName: (stage: StageCount) => string;
  /** `Done: 3, Failed: 1`; says of a stage that hasn't begun just that. */
  readonly countsText: (stage: StageCount) => string;
}

export function useStageTexts(): StageTexts {
  const { t } = useTranslation('Firmware');
  const names: Readonly<Record<StagePart, string>> = {
    done: t('Done'),
    active: t('In progress'),
    waiting: t('Waiting'),
    failed: t('Failed'),
    ended: t('Skipped or canceled'),
  };
  return {
    partName: (part) => names[part],
    stageName: ({ isCanary, percent }) => (isCanary ? t('Canary devices') : t('Up to {{percent}}%', { percent })),
    countsText: ({ counts, total }) =>
      total === 0
        ? t('Not started')
        : STAGE_PARTS.filter((part) => counts[part] > 0)
            .map((part) => `${names[part]}: ${counts[part]}`)
            .join(', '),
  };
}
