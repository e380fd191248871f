import { type ReactNode, Suspense } from 'react';
import { ChunkBoundary } from '../chunks.tsx';
import { Waiting } from '../Waiting.tsx';

/** Content of parts that are loaded when they are first shown: meanwhile it waits, and says which part did not come. */
export function LazyContent({ children }: { readonly children: ReactNode }) {
  return (
    <ChunkBoundary>
      <Suspense fallback={<Waiting />}>{children}</Suspense>
    </ChunkBoundary>
  );
}
