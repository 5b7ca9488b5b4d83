// Live feed: how the publisher's data is called, and a gateway's copy of all public data.

export * from './feed-subjects.ts';
