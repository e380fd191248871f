import { QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { LiveReloads } from './liveReloads.ts';
import { createQueryClient } from './queryClient.ts';

const LiveReloadsContext = createContext<LiveReloads | undefined>(undefined);

/** What a page knows of records: one client a page, so that nothing outlives the page. */
export function RecordsProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(createQueryClient);
  const [reloads] = useState(() => new LiveReloads(client));
  return (
    <QueryClientProvider client={client}>
      <LiveReloadsContext value={reloads}>{children}</LiveReloadsContext>
    </QueryClientProvider>
  );
}

export function useLiveReloads(): LiveReloads {
  const reloads = useContext(LiveReloadsContext);
  if (reloads === undefined) throw new Error('records are loaded outside of a RecordsProvider');
  return reloads;
}
