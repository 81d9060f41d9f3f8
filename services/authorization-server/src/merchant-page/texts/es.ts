import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

/** One file for all pages, so that a translator reads the language in one piece. */
export const es: Texts = {
  language: "es",
  languageName: "Español",
  product: "Partner Connect",
  skipToContent: "Ir al contenido",
  plan: { standard: "plan Estándar", advanced_attribution: "plan Atribución avanzada" },
  scope: {
    "responses:read": {
      title: "Leer las respuestas y las preguntas de las encuestas",
      does: "Todas las respuestas de su clientela, pasadas y futuras.",
      personalData: "los correos electrónicos y los pedidos de su clientela",
      doesNot: "La aplicación no puede cambiar ni borrar nada.",
    },
    "sources:write": {
      title: "Añadir fuentes de atribución",
      does: "Fuentes nuevas, como pódcast o canales, a las que se pueden atribuir respuestas.",
      personalData: null,
      doesNot: "La aplicación no puede quitar ninguna fuente.",
    },
  },
  frame: { language: "Idioma", help: "Ayuda", privacy: "Privacidad", terms: "Condiciones" },
  signIn: {
    title: "Iniciar sesión",
    lead: (app) =>
      app
        ? html`${app} pide conectarse con su tienda. Inicie sesión para ver qué pide. No se comparte nada antes de que usted lo apruebe.`
        : html`Inicie sesión para ver y gestionar las aplicaciones conectadas con sus tiendas.`,
    email: "Correo electrónico",
    password: "Contraseña",
    wrong: "El correo electrónico o la contraseña no son correctos. Inténtelo de nuevo.",
    paused: "Su cuenta está suspendida: nadie puede iniciar sesión con ella. Póngase en contacto con el soporte.",
    tooManyAttempts: (minutes) =>
      minutes === 1
        ? "Demasiados intentos de iniciar sesión. Inténtelo de nuevo dentro de un minuto."
        : `Demasiados intentos de iniciar sesión. Inténtelo de nuevo dentro de ${minutes} minutos.`,
    outOfDate: "Esta página no estaba al día y no se ha enviado nada. Inicie sesión de nuevo.",
    sessionEnded: "Su sesión ha terminado. No se ha compartido nada. Inicie sesión de nuevo.",
    signedOut: "Ha cerrado la sesión.",
    passwordChanged: "Su nueva contraseña está guardada. Inicie sesión con ella.",
    forgot: "¿Ha olvidado su contraseña?",
    decline: (app) => html`No conectar ${app}`,
    safety: (host) =>
      html`Está en ${host}. Escriba su contraseña solo en esta página. Una aplicación nunca la necesita.`,
  },
  password: {
    present: "Contraseña actual",
    chosen: "Contraseña nueva",
    repeated: "Contraseña nueva, otra vez",
    rule: "Al menos 15 caracteres. Cuatro o cinco palabras que no tengan nada que ver entre sí son seguras y fáciles de recordar; se permiten espacios. Ni su correo electrónico, ni su nombre, ni su tienda, ni nuestro nombre.",
    problem: {
      too_short: "Es demasiado corta: use al menos 15 caracteres.",
      too_long: "Es demasiado larga: use como máximo 256 caracteres.",
      blank: "Son solo espacios. Elija algo que se pueda leer.",
      common: "Muchas personas tienen esta contraseña, así que es de las primeras que se prueban. Elija otra.",
      personal:
        "Es poco más que un nombre que otros conocen, así que es de las primeras que se prueban. Elija otra cosa.",
      wrong: "Esta no es su contraseña actual.",
      same: "Esta es la contraseña que ya tiene. Elija otra.",
      not_repeated: "Las dos contraseñas nuevas no son iguales. Escriba la nueva otra vez.",
    },
    tooManyAttempts: (minutes) =>
      minutes === 1
        ? "Demasiados intentos con una contraseña incorrecta. Inténtelo de nuevo dentro de un minuto."
        : `Demasiados intentos con una contraseña incorrecta. Inténtelo de nuevo dentro de ${minutes} minutos.`,
    change: {
      title: "Cambiar su contraseña",
      lead: "Aquí su sesión sigue abierta. En todos los demás lugares se cerrará.",
      submit: "Guardar la contraseña nueva",
      done: "Su contraseña ha cambiado. Su sesión está cerrada en todos los demás lugares.",
      outOfDate: "Esta página no estaba al día y no se ha cambiado nada. Rellénela otra vez.",
    },
    reset: {
      title: "Elegir una contraseña nueva",
      lead: (email) =>
        html`Para la cuenta ${email}. Su sesión se cerrará en todas partes y después podrá iniciarla con la contraseña nueva.`,
      submit: "Guardar contraseña",
      outOfDate: "Esta página no estaba al día y no se ha guardado nada. Rellénela otra vez.",
    },
    ended: {
      title: "Este enlace ya no funciona",
      lead: "Un enlace para elegir una contraseña nueva funciona una sola vez y durante 30 minutos, y un enlace más reciente lo anula. Si acaba de elegir una contraseña con él, inicie sesión con esa contraseña.",
      next: "Si no, pida un enlace nuevo a nuestro equipo de soporte.",
    },
    forgot: {
      title: "Contraseña olvidada",
      lead: "No enviamos contraseñas por correo. Usted recibe un enlace nuestro y elige una contraseña nueva.",
      steps: [
        "Pida a nuestro equipo de soporte un enlace para elegir una contraseña nueva. Indique el correo electrónico con el que inicia sesión.",
        "Abra el enlace antes de que pasen 30 minutos. Funciona una sola vez.",
        "Elija una contraseña nueva e inicie sesión con ella. Sus tiendas y sus aplicaciones conectadas siguen como están. Si una aplicación le envió aquí, empiece allí de nuevo.",
      ],
      askHere: "Cómo contactar con nuestro soporte",
      back: "Volver al inicio de sesión",
    },
  },
  consent: {
    title: (app) => `Conectar ${app}`,
    heading: (app) => html`¿Conectar ${app} con su tienda?`,
    lead: (host) => html`Decida lo que decida, volverá usted a ${host}.`,
    chooseShop: "¿Qué tienda?",
    oneShop: "Su tienda",
    by: (publisher) => html`De ${publisher}`,
    privacyPolicy: "Política de privacidad",
    wouldAllow: "Si usted lo aprueba, la aplicación podrá",
    personalData: "Datos personales:",
    notGranted: (plan) => `No se concede: no está incluido en el ${plan}.`,
    notGrantedWith: (plans) => `No se concede para las tiendas con el ${plans}, que no lo incluye.`,
    lasts: "El acceso dura hasta que usted le ponga fin",
    ending: (link, duration) =>
      html`Puede hacerlo en cualquier momento en ${link}. Caduca si la aplicación no lo usa durante ${duration}.`,
    willNever: "La aplicación nunca ve su contraseña y no obtiene nada que no figure aquí, ni nada de otras tiendas.",
    findShop: "Buscar una tienda por nombre o dominio",
    find: "Buscar",
    found: (found, all) => `${found} de ${all} tiendas`,
    foundNone: "No se ha encontrado ninguna tienda. Pruebe con una parte del nombre o del dominio.",
    showAll: "Mostrar todas",
    connectedNow: "Conectada",
    allowedNow: "Permitido ahora:",
    adds: "Si aprueba, se añade:",
    drops: "Si aprueba, se retira:",
    unchanged: "Lo que la aplicación puede hacer no cambia.",
    replaces:
      "Su aprobación sustituye el acceso actual de la aplicación. Para obtener el nuevo, la aplicación tiene que terminar de conectarse.",
    paused: "Suspendida",
    pausedMeans: html`<b>Suspendida:</b> Nuestro equipo de soporte ha suspendido esta aplicación para la tienda. Póngase en contacto con el soporte.`,
    unavailable: "No disponible",
    unavailableMeans: html`<b>No disponible:</b> El plan de la tienda no incluye nada de lo que pide la aplicación.`,
    away: "No accesible",
    awayMeans: html`<b>No accesible:</b> No podemos leer las conexiones de esta tienda en este momento. Inténtelo de nuevo en unos minutos.`,
    held: "No se puede elegir: nuestro equipo de soporte ha suspendido esta aplicación para esta tienda. Póngase en contacto con el soporte.",
    approve: "Aprobar",
    approveFor: (shop) => html`Aprobar para ${shop}`,
    decline: "Rechazar",
    chooseFirst: "Elija primero la tienda.",
    notOffered: "Esta tienda no se puede elegir. Elija una de las tiendas de abajo.",
    changed: "Lo que se puede conceder ha cambiado desde que se abrió esta página. Revíselo antes de aprobar.",
    otherAccount: "Ahora ha iniciado sesión con otra cuenta. Revise los datos antes de aprobar.",
    outOfDate: "Esta página no estaba al día y no se ha aprobado nada. Revise los datos antes de aprobar.",
    noShops: "Todavía no hay ninguna tienda en su cuenta",
    noShopsLead:
      "Una aplicación solo se puede conectar con una tienda. Pida a la persona propietaria de la tienda que le añada, o use otra cuenta. También puede volver a la aplicación sin conectarla.",
    back: (app) => html`Volver a ${app}`,
  },
  nothingToGrant: {
    title: (shops) => (shops === 1 ? "Su tienda no se puede conectar" : "Sus tiendas no se pueden conectar"),
    lead: (app) => html`Por ahora no se puede conceder nada a ${app}.`,
    notInPlan: (asked, plan) =>
      `La aplicación pide «${asked}». Eso no está incluido en el ${plan}. Nuestro equipo de soporte le informa sobre otros planes.`,
    notAllowed: "La aplicación ya no puede pedir esto. Avise al desarrollador de la aplicación.",
    held: "Nuestro equipo de soporte ha suspendido esta aplicación. Póngase en contacto con el soporte.",
    more: (shops) => (shops === 1 ? "1 tienda más" : `${shops} tiendas más`),
  },
  decline: {
    title: "¿Rechazar esta solicitud?",
    lead: (app, host) => html`${app} no obtiene acceso y usted vuelve a ${host}.`,
    back: "Atrás",
  },
  returnToPartner: {
    title: "Está volviendo a la aplicación",
    lead: (app) => html`Le llevamos de vuelta a ${app}.`,
    link: "Continuar",
  },
  connectedApps: {
    title: "Aplicaciones conectadas",
    lead: "Estas aplicaciones pueden usar datos de sus tiendas. Puede desconectar cualquiera de ellas, con efecto inmediato.",
    none: "No hay ninguna aplicación conectada con esta tienda.",
    away: "No podemos leer las conexiones de esta tienda en este momento. Nada ha cambiado en ellas. Inténtelo de nuevo en unos minutos.",
    noShops: "Todavía no hay ninguna tienda en su cuenta. Pida al propietario de una tienda que le invite.",
    can: "Puede",
    connected: "Conectada",
    approvedBy: "Aprobada por",
    merchantOn: (merchant, date) => html`${merchant}, ${date}`,
    lastUsed: "Último uso",
    expires: "Acceso",
    expiresIfUnused: (date) => html`Caduca el ${date} si no se usa`,
    status: { connected: "Conectada", approved: "Sin completar", expired: "Terminada", disabled: "Suspendida" },
    approved:
      "La aplicación se aprobó, pero todavía no ha terminado de conectarse. Obtendrá el acceso cuando lo haga. Si tarda más de unos minutos, empiece de nuevo en la aplicación.",
    expired:
      "La aplicación no usó su acceso durante mucho tiempo, por lo que el acceso terminó. Puede pedirle que la conecte de nuevo.",
    disabled: "Nuestro equipo de soporte ha suspendido esta conexión. La aplicación no tiene acceso por ahora.",
    disconnect: "Desconectar",
    records: (count, number) => (count === 1 ? "1 registro" : `${number} registros`),
    calls: (count, number) => (count === 1 ? "en 1 consulta" : `en ${number} consultas`),
    read: "Leído en los últimos 30 días",
    readNothing: "Nada",
    howToConnect:
      "Para conectar una, empiece en la propia aplicación. Ella le envía aquí, donde elige la tienda y la aprueba.",
    joined: (shop) => html`Ya puede conectar aplicaciones con ${shop}.`,
    disconnected: (app, shop) => html`${app} se ha desconectado y ya no tiene acceso a ${shop}.`,
  },
  disconnect: {
    title: (app) => `Desconectar ${app}`,
    heading: (app, shop) => html`¿Desconectar ${app} de ${shop}?`,
    lead: (app, shop) => html`${app} pierde de inmediato su acceso a ${shop}.`,
    consequences: (app) => [
      html`${app} ya no puede leer ni añadir nada.`,
      html`El desarrollador de la aplicación conserva lo que ha leído. Diríjase a él si quiere que se borre.`,
      html`Su tienda y sus encuestas quedan como están. Puede volver a conectar la aplicación más adelante.`,
    ],
    unfinished: (app, shop) =>
      html`${app} todavía no ha terminado de conectarse con ${shop}. Si la desconecta ahora, su aprobación deja de valer y la aplicación no obtiene acceso. Puede volver a conectarla más adelante.`,
    keep: "Mantener conectada",
    outOfDate: "Esta página no estaba al día y no se ha cambiado nada. Confírmelo una vez más.",
  },
  members: {
    title: (shop) => `Personas de ${shop}`,
    heading: (shop) => html`Quién puede conectar aplicaciones con ${shop}`,
    lead: "Los miembros conectan y desconectan aplicaciones de esta tienda. Los propietarios, además, añaden y quitan personas.",
    listTitle: "Quién puede conectar aplicaciones",
    manage: "Añadir o quitar personas",
    ownersManage: "Un propietario de la tienda puede añadir y quitar personas.",
    role: { owner: "Propietario", member: "Miembro" },
    roleDoes: { owner: "también añade y quita personas", member: "conecta y desconecta aplicaciones" },
    you: "usted",
    remove: "Quitar",
    waiting: "Invitaciones que esperan respuesta",
    waitsUntil: (date) => html`El enlace funciona hasta el ${date}.`,
    withdraw: "Retirar la invitación",
    add: "Añadir a una persona",
    addLead:
      "Usted recibe un enlace y lo envía. Funciona una sola vez, solo para esta dirección, durante siete días. Nosotros no enviamos correos.",
    submit: "Crear un enlace de invitación",
    problem: {
      email: "No es una dirección de correo completa, como anna@shop.example.",
      already_member: "Esta persona ya pertenece a la tienda.",
      too_many: "Ya hay cincuenta invitaciones en espera. Retire una primero.",
      last_owner: "Una tienda conserva al menos un propietario. Invite primero a otro propietario.",
      out_of_date: "Esta página no estaba actualizada y no se cambió nada. Inténtelo otra vez.",
    },
    done: {
      removed: "La persona ya no pertenece a la tienda ni tiene acceso a ella.",
      withdrawn: "La invitación se ha retirado. Su enlace ya no funciona.",
    },
    made: {
      title: "Envíe este enlace",
      lead: (email, date) =>
        html`Envíelo a ${email}. Funciona una sola vez, solo para esta dirección, hasta el ${date}.`,
      once: "El enlace se muestra solo ahora. Si lo pierde, invite de nuevo a la dirección: el enlace anterior termina entonces.",
      link: "Enlace de invitación",
      mail: "Escribir un correo",
      mailSubject: (shop) => `Invitación a ${shop}`,
      mailText: (shop) =>
        `Con este enlace puede conectar aplicaciones con ${shop}. Funciona una sola vez, durante siete días:`,
      back: "Volver a las personas de la tienda",
    },
    removal: {
      title: (name) => `Quitar a ${name}`,
      heading: (name, shop) => html`¿Quitar a ${name} de ${shop}?`,
      consequences: (name) => [
        html`${name} ya no puede abrir las páginas de esta tienda, desde ahora mismo.`,
        html`Las aplicaciones que ${name} ha conectado siguen conectadas. Puede desconectarlas en Aplicaciones conectadas.`,
        html`Las invitaciones que ${name} ha creado terminan.`,
      ],
      yourself: "Se trata de usted. Después ya no podrá abrir las páginas de esta tienda.",
      keep: "Mantener",
    },
  },
  invitation: {
    title: (shop) => `Invitación de ${shop}`,
    heading: (inviter, shop) => html`${inviter} le invita a ${shop}`,
    lead: {
      owner: (shop) =>
        html`Como propietario puede conectar aplicaciones con ${shop}, desconectarlas, y añadir y quitar personas.`,
      member: (shop) => html`Entonces podrá conectar aplicaciones con ${shop} y desconectarlas.`,
    },
    accept: "Aceptar",
    forAnother: (email) =>
      html`Esta invitación es para ${email}, y usted ha iniciado sesión con otra cuenta. Use aquella cuenta para aceptarla.`,
    haveAccount: "¿Tiene una cuenta?",
    newHere: "¿Es nuevo aquí?",
    name: "Su nombre",
    create: "Crear la cuenta",
    ready:
      "Inicie sesión para aceptar la invitación. Si ya tenía una cuenta con este correo electrónico, su contraseña sigue siendo la que vale.",
    problem: {
      name: "Escriba un nombre que los demás puedan leer, de 100 caracteres como máximo.",
      out_of_date: "Esta página no estaba actualizada y no se cambió nada. Mírela de nuevo.",
    },
    ended: {
      title: "Esta invitación ha terminado",
      lead: "Una invitación funciona una sola vez y durante siete días. Puede que se haya aceptado, retirado o sustituido por otra más reciente.",
      next: "Si ya la aceptó, simplemente inicie sesión. Si no, pida un enlace nuevo al propietario de la tienda.",
    },
  },
  account: {
    signedInAs: (merchant, email) => html`Sesión iniciada como ${merchant} (${email})`,
    useAnother: "Usar otra cuenta",
    signOut: "Cerrar sesión",
    signOutEverywhere: "Cerrar sesión en todos los dispositivos",
    changePassword: "Cambiar contraseña",
  },
  failure: {
    invalid_link: {
      title: "Este enlace no funciona",
      lead: (app) =>
        html`${app} le ha enviado aquí con una solicitud que no podemos aceptar. No se ha compartido nada. Vuelva a la aplicación e inténtelo de nuevo. Si se repite, avise al desarrollador de la aplicación.`,
    },
    client_disabled: {
      title: "Esta aplicación no se puede conectar",
      lead: (app) =>
        html`${app} no puede conectar tiendas por ahora. No se ha compartido nada. Consulte al desarrollador de la aplicación.`,
    },
    ended: {
      title: "Esta solicitud ha terminado",
      lead: "Ya recibió una respuesta, tardó demasiado o se inició en otro navegador. Aquí no ocurre nada más. Para conectar una tienda, vuelva a la aplicación y empiece de nuevo.",
    },
    foreign_form: {
      title: "No hemos aceptado este envío",
      lead: "Lo que se envió no procedía de una de nuestras páginas, así que no hemos hecho nada. Vuelva atrás e inténtelo de nuevo.",
    },
    bad_request: {
      title: "No hemos podido leer este envío",
      lead: "Lo que envió su navegador no estaba completo, así que no hemos hecho nada. Vuelva atrás e inténtelo de nuevo.",
    },
    not_found: {
      title: "Aquí no hay nada",
      lead: "Puede que la dirección esté mal escrita o que la página ya no exista.",
    },
    too_many_requests: {
      title: "Demasiadas solicitudes",
      lead: "Han llegado muchas solicitudes desde su red en poco tiempo. Espere un minuto e inténtelo de nuevo.",
    },
    unavailable: {
      title: "Inténtelo de nuevo en un momento",
      lead: "Ahora mismo no podemos responder. No se ha perdido ni compartido nada. Inténtelo de nuevo dentro de unos segundos.",
    },
    unexpected: {
      title: "Algo ha fallado aquí",
      lead: "El error es nuestro. Inténtelo de nuevo. Si se repite, indique a nuestro equipo de soporte el número de abajo.",
    },
  },
  failurePage: { unnamedApp: "La aplicación", forDevelopers: "Para desarrolladores", requestId: "Solicitud" },
  noServer: {
    lead: "Ahora mismo no podemos responder. Espere unos segundos y vuelva a intentarlo.",
    tryAgain: "Volver a intentarlo",
  },
};
