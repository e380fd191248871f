import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlayerSupport } from '../engine/support.ts';

/** Says why there is no video instead of leaving the page black. */
export function UnsupportedNotice({ support }: { readonly support: Exclude<PlayerSupport, 'ok'> }): ReactElement {
  const { t } = useTranslation('Player');
  return (
    <p className="page-alert" role="alert">
      {support === 'insecure'
        ? t('Browsers play this video on secure pages only. Change http to https in the address.')
        : t("This browser can't play the video. Use an up-to-date version of Chrome, Edge, Safari or Firefox.")}
    </p>
  );
}
