// The words of firmware tasks in the user's language.
import { useTranslation } from 'react-i18next';
import type {
  FirmwareTaskReason,
  FirmwareTaskState,
  IgnitionCondition,
} from '../../../../shared/protocol/firmware/firmwareWords.ts';

export function useTaskStateText(): (state: FirmwareTaskState) => string {
  const { t } = useTranslation('Firmware');
  const texts: Readonly<Record<FirmwareTaskState, string>> = {
    draft: t('Draft'),
    approved: t('Approved'),
    running: t('Running'),
    paused: t('Paused'),
    stopped: t('Stopped'),
    done: t('Done'),
  };
  return (state) => texts[state];
}

/** Why a task is paused or stopped although no member did it; '' for a member's doing. */
export function useTaskReasonText(): (reason: FirmwareTaskReason) => string {
  const { t } = useTranslation('Firmware');
  const texts: Readonly<Record<FirmwareTaskReason, string>> = {
    '': '',
    'stage-failed': t('Too few devices of the stage succeeded. Look at the failures, then resume the task or stop it.'),
    'too-many-failures': t(
      'The task stopped because too many devices failed. Look at the failures before you retry them.',
    ),
    'image-damaged': t("The image's file is missing or changed on the server's disk. Upload the image again."),
    'ended-dates': t('The last day of the task has passed.'),
  };
  return (reason) => texts[reason];
}

export function useIgnitionTexts(): Readonly<Record<IgnitionCondition, string>> {
  const { t } = useTranslation('Firmware');
  return { any: t('On or off'), on: t('On'), off: t('Off') };
}
