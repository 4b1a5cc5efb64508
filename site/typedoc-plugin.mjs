import { Converter, ReflectionKind } from 'typedoc';

/** Keeps the class in `@throws {Class} when` as a link to the class. TypeDoc would drop the class. */
export function load(app) {
  app.on('bootstrapEnd', () => app.options.setValue('preservedTypeAnnotationTags', ['@throws']));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const classes = new Map(project.getReflectionsByKind(ReflectionKind.Class).map(each => [each.name, each]));
    for (const reflection of Object.values(project.reflections)) {
      for (const tag of reflection.comment?.blockTags ?? []) {
        if (tag.tag !== '@throws' || !tag.typeAnnotation) continue;
        const name = tag.typeAnnotation.replace(/^\{|\}$/g, '').trim();
        const target = classes.get(name);
        const thrown = target
          ? { kind: 'inline-tag', tag: '@link', text: name, target }
          : { kind: 'code', text: `\`${name}\`` };
        tag.content.unshift(thrown, { kind: 'text', text: ' ' });
        delete tag.typeAnnotation;
      }
    }
  });
}
