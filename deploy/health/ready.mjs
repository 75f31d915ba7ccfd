// The HEALTHCHECK of both servers: exit code 0 where /readyz says that requests should come here. What it says is
// printed, for the engine keeps it: docker inspect --format '{{json .State.Health}}' <container>
try {
  const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`);
  console.log(await answer.text());
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.log(error.cause?.message || error.message);
  process.exitCode = 1;
}
