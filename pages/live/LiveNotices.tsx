import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shared/i18n/errorText.ts';
import type { LiveError } from './liveView.ts';

export function LiveLoading(): ReactElement {
  const { t } = useTranslation('Live');
  return <div className="page-spinner" role="progressbar" aria-label={t('Loading')} />;
}

export function LiveAlert({ error }: { readonly error: LiveError }): ReactElement {
  // Errors is named for its arrival: the text is then made anew.
  const { t } = useTranslation(['Live', 'Errors']);
  return (
    <p className="page-alert" role="alert">
      {error.kind === 'link'
        ? t("Can't open this link. It may be incomplete or from another server. Ask for a new one.")
        : errorText(error.failure)}
    </p>
  );
}
