/** The translations that names of events are made of; a page that shows events takes them beside its own. */
export const EVENT_NAMESPACES = ['EventTypes', 'EventReasons', 'EventWords'] as const;
