import { Permission } from '../../../../shared/protocol/permissions.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { usePermission } from '../../../../shared/ui/session.ts';
import type { ShownNotifyView } from '../useNotifyView.ts';
import { EventIdForm } from './EventIdForm.tsx';
import { EventTable } from './EventTable.tsx';
import { ExplainedEvent } from './ExplainedEvent.tsx';

/** For a past event: which rules report it, which don't and why, and who is notified when. */
export function ExplainTab({ shown }: { readonly shown: ShownNotifyView }) {
  const names = useEventNames();
  const mayList = usePermission(Permission.Event);
  const { event, show } = shown;
  if (event !== undefined) {
    return (
      <ExplainedEvent
        key={event}
        event={event}
        names={names}
        onOther={() => show({ event: undefined })}
        onMessages={() => show({ tab: 'messages' })}
      />
    );
  }
  const choose = (id: number) => show({ event: id });
  return mayList ? <EventTable names={names} onChoose={choose} /> : <EventIdForm onChoose={choose} />;
}
