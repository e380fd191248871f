// The server's information about itself: asked for once a page, again on request, and shared by what shows it.
import i18next from 'i18next';
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { getServerInfo } from '../api/system.ts';
import { listenForChanges, listenForServerInfo } from '../live/pageLive.ts';
import type { OpenServerInfo, ServerInfo } from '../protocol/api/system.ts';
import { notify } from './notifications.tsx';
import { titleOf } from './title.ts';

export interface ServerInfoState {
  /** Undefined until the answer has come. */
  readonly info: ServerInfo | undefined;
  /** Whether the last request failed; `info` is then what was known before. */
  readonly failed: boolean;
  readonly refetch: () => void;
  /** Takes what the gateway has reported of changes on open pages. */
  readonly take: (open: OpenServerInfo) => void;
}

export const ServerInfoContext = createContext<ServerInfoState>({
  info: undefined,
  failed: false,
  refetch: noContext,
  take: noContext,
});

function noContext(): never {
  throw new Error('no ServerInfoContext around this component');
}

export function useServerInfo(): ServerInfoState {
  return useContext(ServerInfoContext);
}

/** Loads the server information, and again at each `refetch`. A failure shows one error notification. */
export function useServerInfoLoader(): ServerInfoState {
  const [loaded, setLoaded] = useState<ServerInfo>();
  // Wins over what was loaded: an answer may have been on its way while the change was reported.
  const [told, take] = useState<OpenServerInfo>();
  const [failed, setFailed] = useState(false);
  const load = useCallback(async (signal?: AbortSignal) => {
    const result = await getServerInfo(signal);
    if (!result.ok && result.kind === 'aborted') return;
    if (result.ok) setLoaded(result.value);
    else notify('error', i18next.t("Can't load server information. Reload the page to try again.", { ns: 'Common' }));
    setFailed(!result.ok);
  }, []);
  useEffect(() => {
    const abort = new AbortController();
    void load(abort.signal);
    return () => abort.abort();
  }, [load]);
  const refetch = useCallback(() => void load(), [load]);
  const info = useMemo(() => loaded && { ...loaded, ...told }, [loaded, told]);
  return useMemo(() => ({ info, failed, refetch, take }), [info, failed, refetch]);
}

/** Keeps the document's title: the installation's name, or the product's while there is none. */
export function useDocumentTitle(info: ServerInfo | undefined): void {
  const title = titleOf(info);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** For pages with a session: keeps up with what an administrator sets while they are open. */
export function useServerInfoUpdates(): void {
  const { info, take, refetch } = useServerInfo();
  useEffect(() => {
    // The first says what the answer to the page's own call has said just before.
    let last: string | undefined;
    return listenForServerInfo((open) => {
      const text = JSON.stringify(open);
      if (last !== undefined && text !== last) take(open);
      last = text;
    });
  }, [take]);
  // The license is only reported to pages that ask for it.
  const isWhole = info?.version !== undefined && info.version !== '';
  useEffect(() => {
    if (!isWhole) return undefined;
    return listenForChanges((kinds) => {
      if (kinds === 'any' || kinds.includes('setting')) refetch();
    });
  }, [isWhole, refetch]);
}
