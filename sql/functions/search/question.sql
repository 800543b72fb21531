-- What a question says beside its words: whom it names, whether it speaks of the asker, whether it asks for a time. The same rules as
-- the service's planner has, so that plain SQL ranks as the service does.

-- Those of _speakers that the question names: by the whole name or a part of two letters or more, in any case; a part that is also an
-- ordinary word only where it is capitalised and not in a date, as the first word where what follows shows that it is somebody. Roles are nobody's names. Speakers times words.
create or replace function muniment.speakers_named(_question text, _speakers text[])
returns text[] language sql immutable parallel safe security invoker set search_path = '' as $$
  with word as materialized (
    select w.n, w.found[1] as word, casefold(w.found[1] collate pg_unicode_fast) as folded
      from regexp_matches(_question collate pg_unicode_fast, '[^\W_]+', 'g') with ordinality w (found, n)),
  telling as materialized (
    select w.folded
      from (select w.*, lag(w.folded) over (order by w.n) as before, lead(w.folded) over (order by w.n) as after from word w) w
     where length(w.folded) >= 2
       and (w.folded <> all ('{will,may,might,can,mark,bill,rose,hope,faith,grace,joy,art,rich,june,april,august,dawn,summer,autumn,
                               sunny,jack,frank,drew,chase,grant,max,ray,van}')
            or (left(w.word, 1) <> lower(left(w.word, 1) collate pg_unicode_fast)
                and coalesce(w.after, '') !~ '^[0-9]+$'
                and case when w.before is null
                         then w.after = any ('{and,or,s}')
                              or (w.after = any ('{has,had,is,was,said,says,told,does,did,likes,lives,works}')
                                  and w.folded <> all ('{will,may,might,can,mark,hope,grant,bill}'))
                         else w.before <> all ('{in,on,of,during,since,by,until,before,after,early,late,mid,last,next,this,every}')
                              and w.before !~ '^[0-9]{1,2}(st|nd|rd|th)?$' end))),
  speaker as materialized (
    select s.speaker,
           array(select casefold(p.found[1] collate pg_unicode_fast)
                   from regexp_matches(s.speaker collate pg_unicode_fast, '[^\W_]+', 'g') with ordinality p (found, n)
                  order by p.n) as parts
      from unnest(_speakers) s (speaker))
  select coalesce(array_agg(s.speaker order by s.speaker collate "C"), '{}')
    from speaker s
   where s.parts <> '{}'
     and array_to_string(s.parts, ' ') <> all ('{user,assistant,system,tool,human,bot,agent,ai}')
     and (exists (select from telling t where t.folded = any (s.parts))
          or (cardinality(s.parts) > 1
              and strpos(' ' || (select string_agg(w.folded, ' ' order by w.n) from word w) || ' ',
                         ' ' || array_to_string(s.parts, ' ') || ' ') > 0));
$$;

-- Whether the question says I, my, we or our. Linear in the question.
create or replace function muniment.in_first_person(_question text)
returns boolean language sql immutable parallel safe security invoker set search_path = '' as $$
  select _question collate pg_unicode_fast ~* '(?:^|[\W_])(?:i|my|me|mine|we|our|ours|us)(?:[\W_]|$)';
$$;

-- What marks a question that asks for a time, as a regular expression in any case. Constant.
create or replace function muniment.when_cues()
returns text language sql immutable parallel safe security invoker set search_path = '' as $$
  select '(?:^|[,;:.?!]\s*|\y(?:and|know|remember|recall|tell me|say|said|since|until)\s+)when\y'
    || '|\ywhen\s+(?:did|do|does|was|were|is|are|will|has|have|had|would|can|could|should)\y'
    || '|\y(?:what|which)\s+(?:(?:exact|specific)\s+)?(?:year|month|week|weekend|day|date|time|season|decade)\y'
    || '|\yhow\s+(?:long\s+ago|recently)\y|\y(?:on|at|in)\s+(?:what|which)\s+(?:year|month|week|day|date|time)\y'
    || '|^\s*(?:wann|seit wann|quand|depuis quand|cu[aá]ndo|desde cu[aá]ndo|quando|wanneer)\y';
$$;

-- Whether a question says nothing beside a time: each of its words asks (what happened) or names a time (last week, in May 2023, gestern).
-- The words that ask are those of the service, which reads the times themselves. Linear in the question.
create or replace function muniment.asks_only_of_time(_question text)
returns boolean language sql immutable parallel safe security invoker set search_path = '' as $$
  select count(*) > 0 and bool_and(
           w.word = any ('{what,which,who,s,did,do,does,doing,done,was,were,is,are,be,been,will,would,has,have,had,can,i,we,you,us,me,my,our,
             your,the,a,an,any,anything,something,everything,thing,things,event,events,happen,happened,happens,happening,take,
             takes,took,taking,taken,place,occur,occurred,occurs,go,going,went,on,in,at,during,by,for,from,of,there,up,that,
             this,day,date,and,all,tell,show,list,give,about,scheduled,planned,plan,plans,calendar,agenda,know,remember,so,
             please,new,news,welche,welches,wer,ist,sind,war,waren,wird,werden,wurde,hat,haben,habe,ich,wir,du,ihr,uns,mir,mich,
             passiert,passierte,geschah,geschehen,geschieht,los,gewesen,gab,gibt,es,findet,fand,finden,statt,stattgefunden,
             gemacht,machen,machten,machte,tat,getan,am,im,um,den,dem,der,die,das,ein,eine,alles,und,zu,ereignis,ereignisse,
             termin,termine,steht,stand,que,qu,qui,quoi,quel,quelle,quels,est,sont,était,il,elle,ai,avons,avez,nous,je,tu,vous,
             se,passe,passé,passer,passait,arrivé,arrive,fait,faire,faisons,lieu,eu,le,la,les,l,de,des,en,y,événement,
             événements,prévu,prévus,qué,pasó,pasa,pasaba,pasará,ocurrió,ocurre,sucedió,hubo,hay,hicimos,hice,hacer,hago,hemos,
             hecho,he,tiene,lugar,tuvo,el,las,lo,fue,son,eventos,evento}')
           or w.word = any ('{today,tonight,yesterday,tomorrow,last,latest,next,these,past,previous,coming,since,until,till,between,before,after,
             ago,early,late,mid,now,recently,morning,noon,afternoon,evening,night,days,week,weeks,weekend,weekends,fortnight,
             month,months,quarter,quarters,year,years,decade,spring,summer,autumn,fall,winter,one,two,three,four,five,six,seven,
             eight,nine,ten,several,few,half,first,second,third,th,st,nd,rd,january,february,march,april,may,june,july,august,
             september,october,november,december,jan,feb,mar,apr,jun,jul,aug,sep,sept,oct,nov,dec,monday,tuesday,wednesday,
             thursday,friday,saturday,sunday,mon,tue,tues,wed,thu,thur,thurs,fri,sat,sun,christmas,gestern,vorgestern,heute,
             morgen,übermorgen,letzte,letzten,letzter,letztes,vorige,vorigen,voriger,voriges,vergangene,vergangenen,vergangener,
             vergangenes,nächste,nächsten,nächster,nächstes,diese,diesen,dieser,dieses,kommende,kommenden,vor,seit,bis,zwischen,
             tag,tage,tagen,woche,wochen,wochenende,monat,monate,monaten,jahr,jahre,jahren,frühling,frühjahr,sommer,herbst,
             januar,februar,märz,mai,juni,juli,oktober,dezember,montag,dienstag,mittwoch,donnerstag,freitag,samstag,sonnabend,
             sonntag,hier,avant,aujourd,hui,demain,après,dernier,dernière,derniers,dernières,prochain,prochaine,prochains,
             passée,passés,passées,cette,ces,jour,jours,semaine,semaines,mois,ans,année,années,printemps,été,automne,hiver,
             janvier,février,mars,avril,juin,juillet,août,septembre,octobre,novembre,décembre,lundi,mardi,mercredi,jeudi,
             vendredi,samedi,dimanche,ayer,anteayer,anoche,hoy,mañana,pasado,pasada,pasados,pasadas,último,última,últimos,
             últimas,próximo,próxima,próximos,próximas,este,esta,estos,estas,hace,día,días,semana,semanas,mes,meses,año,años,
             primavera,verano,otoño,invierno,enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,
             diciembre,lunes,martes,miércoles,jueves,viernes,sábado,domingo}'))
    from (select casefold(f.found[1] collate pg_unicode_fast) as word
            from regexp_matches(_question collate pg_unicode_fast, '[^\W\d_]+', 'g') f (found)) w;
$$;
