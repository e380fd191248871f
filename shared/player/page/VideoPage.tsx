import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PagePlayer, RunningPlayer } from './pagePlayer.ts';
import type { PageView, ReadyView } from './pageView.ts';
import { UnsupportedNotice } from './UnsupportedNotice.tsx';
import { useLoaded } from './useLoaded.ts';

export interface VideoPageProps<Ready extends ReadyView, Failure> {
  readonly loading: Promise<PageView<Ready, Failure>>;
  readonly player: PagePlayer;
  /** Its heading until the device is known. */
  readonly name: string;
  readonly failureText: (error: Failure) => string | undefined;
  /** What is shown once all is there. */
  readonly children: (view: Ready, player: RunningPlayer) => ReactElement;
}

/** A page that shows the video of one device: a spinner, then the video, or why there is none. */
export function VideoPage<Ready extends ReadyView, Failure>(props: VideoPageProps<Ready, Failure>): ReactElement {
  const view = useLoaded(props.loading);
  return (
    <main>
      <h1 className="visually-hidden">{view?.kind === 'ready' ? view.vehicle : props.name}</h1>
      <Content {...props} view={view} />
    </main>
  );
}

interface ContentProps<Ready extends ReadyView, Failure> extends VideoPageProps<Ready, Failure> {
  readonly view: PageView<Ready, Failure> | undefined;
}

function Content<Ready extends ReadyView, Failure>({
  view,
  player,
  failureText,
  children,
}: ContentProps<Ready, Failure>): ReactElement | null {
  // `Errors` is listed so that the text is made again once it has arrived.
  const { t } = useTranslation(['Player', 'Errors']);
  switch (view?.kind) {
    case undefined:
      return <div className="page-spinner" role="progressbar" aria-label={t('Loading')} />;
    case 'error':
      return (
        <p className="page-alert" role="alert">
          {failureText(view.error)}
        </p>
      );
    case 'nothing':
      return null;
    case 'ready':
      if (player.support !== 'ok') return <UnsupportedNotice support={player.support} />;
      return children(view, player);
  }
}
