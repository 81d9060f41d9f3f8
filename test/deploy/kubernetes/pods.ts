import type { KubernetesObject } from "./render.ts";

/** A container of a Deployment, a Job or a CronJob, with the pod that it runs in. */
export interface PodContainer {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: their schemas are checked in schemas.test.ts
  readonly pod: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly container: any;
  readonly labels: Readonly<Record<string, string>>;
}

export function containers(objects: readonly KubernetesObject[]): PodContainer[] {
  return objects.flatMap((object) => {
    const template = object["spec"]?.template ?? object["spec"]?.jobTemplate?.spec.template;
    if (!template?.spec?.containers) return [];
    const { spec: pod, metadata } = template;
    return pod.containers.map((container: { name: string }) => ({
      name: container.name,
      pod,
      container,
      labels: metadata.labels,
    }));
  });
}
