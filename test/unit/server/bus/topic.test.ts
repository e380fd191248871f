import { describe, expect, it } from 'vitest';
import { Topic } from '../../../../server/bus/topic.ts';

function topicOf(...followers: readonly ('first' | 'second' | 'third')[]) {
  const faults: Error[] = [];
  const topic = new Topic<string, 'first' | 'second' | 'third'>({
    followers,
    faultText: (message) => `${message} could not be used`,
    onFault: (error) => void faults.push(error),
  });
  return { topic, faults };
}

describe('a topic', () => {
  it('calls its followers in the order that it declares, whenever they subscribed', () => {
    const { topic } = topicOf('first', 'second', 'third');
    const heard: string[] = [];
    topic.subscribe('third', (message) => void heard.push(`third ${message}`));
    topic.subscribe('first', (message) => void heard.push(`first ${message}`));
    topic.subscribe('second', (message) => void heard.push(`second ${message}`));
    topic.subscribe('first', (message) => void heard.push(`first again ${message}`));
    topic.tell('news');
    expect(heard).toEqual(['first news', 'first again news', 'second news', 'third news']);
  });

  it('waits for all that need time, and not where nobody does', async () => {
    const { topic } = topicOf('first', 'second');
    topic.subscribe('first', () => undefined);
    expect(topic.publish('news')).toBeUndefined();
    let isDone = false;
    topic.subscribe('second', async () => {
      await Promise.resolve();
      isDone = true;
    });
    expect(await topic.publish('news')).toBe(true);
    expect(isDone).toBe(true);
  });

  it('reports a follower that throws or rejects, and still calls the others', async () => {
    const { topic, faults } = topicOf('first', 'second', 'third');
    const causes = [new Error('at once'), new Error('later')];
    const heard: string[] = [];
    topic.subscribe('first', () => {
      throw causes[0];
    });
    topic.subscribe('second', () => Promise.reject(causes[1]));
    topic.subscribe('third', (message) => void heard.push(message));
    expect(await topic.publish('news')).toBe(false);
    expect(heard).toEqual(['news']);
    expect(faults).toEqual(causes.map((cause) => new Error('news could not be used', { cause })));
  });

  it('calls nobody whose subscription has ended, not even in the same publication', () => {
    const { topic } = topicOf('first', 'second');
    const heard: string[] = [];
    const end = topic.subscribe('second', (message) => void heard.push(message));
    topic.subscribe('first', end);
    topic.tell('news');
    expect(heard).toEqual([]);
  });
});
