// The worker's script: run it with `new Worker(...)`, or bundle it as one classic script and pass
// its text as `workerSource` (see WorkerEngineOptions). It exports nothing.
export {};
